// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * count - a TCG plugin of QEMU: how often did each instruction of the guest's kernel run between two marks?
 *
 *   -plugin count.so,ctl=SOCKET,out=FILE
 *
 * A mark is an instruction that does nothing, executed in user mode (tests/guest/mark.h); RAX points to a line of text.
 * The line goes to SOCKET, and the guest stands still until a line comes back, so that whoever listens there can look at
 * the machine, or change it, at exactly this instruction. Two words mean something here:
 *
 *   start ...   counting begins, once the answer is there
 *   stop ...    counting ends; before the line is sent, FILE holds what was counted: pairs of 64-bit words, an address in
 *               the kernel and how often the instruction there was executed. Address 0 stands for all of user space.
 *
 * Every instruction has a counter of its own, so that nothing is counted twice when a block of code is left half-way, as
 * instruction counting (-icount) does for each access to a device.
 */
#include <qemu-plugin.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define NR_SLOTS	(1u << 20)
#define USER_SLOT	0
#define TEXT_BYTES	256		/* as in mark.h */

/* nopl 0x4b4d4658(%rax) */
static const uint8_t mark_insn[] = { 0x0f, 0x1f, 0x80, 0x58, 0x46, 0x4d, 0x4b };

static struct qemu_plugin_scoreboard *score;
static struct qemu_plugin_register *rax;
static GHashTable *slots;			/* address -> slot */
static uint64_t address[NR_SLOTS], before[NR_SLOTS];
static unsigned int nr_slots = USER_SLOT + 1;
static char *out_name;
static int ctl = -1;

static void die(const char *what)
{
	fprintf(stderr, "count plugin: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static unsigned int slot_of(uint64_t addr)
{
	gpointer found;

	/* The kernel lives in the upper half. */
	if (!(addr >> 63))
		return USER_SLOT;
	found = g_hash_table_lookup(slots, (gpointer)addr);
	if (found)
		return GPOINTER_TO_UINT(found);
	if (nr_slots == NR_SLOTS) {
		errno = ENOSPC;
		die("more kernel code than there are counters");
	}
	address[nr_slots] = addr;
	g_hash_table_insert(slots, (gpointer)addr, GUINT_TO_POINTER(nr_slots));
	return nr_slots++;
}

static void begin(void)
{
	memcpy(before, qemu_plugin_scoreboard_find(score, 0), sizeof(before));
}

static void end(void)
{
	const uint64_t *now = qemu_plugin_scoreboard_find(score, 0);
	FILE *f = fopen(out_name, "wb");
	unsigned int i;

	if (!f)
		die(out_name);
	for (i = 0; i < nr_slots; i++) {
		uint64_t pair[2] = { address[i], now[i] - before[i] };

		if (pair[1] && fwrite(pair, sizeof(pair), 1, f) != 1)
			die(out_name);
	}
	if (fclose(f))
		die(out_name);
}

static void talk(const char *text)
{
	char c;

	if (dprintf(ctl, "%s\n", text) < 0)
		die("nobody listens");
	do {
		if (read(ctl, &c, 1) != 1) {
			errno = EPIPE;
			die("nobody answers");
		}
	} while (c != '\n');
}

static void mark(unsigned int cpu, void *unused)
{
	GByteArray *reg = g_byte_array_new(), *text = g_byte_array_new();
	uint64_t where;

	(void)cpu;
	(void)unused;
	if (qemu_plugin_read_register(rax, reg) != sizeof(where)) {
		errno = EINVAL;
		die("RAX");
	}
	memcpy(&where, reg->data, sizeof(where));
	if (!qemu_plugin_read_memory_vaddr(where, text, TEXT_BYTES)) {
		errno = EFAULT;
		die("text of a mark");
	}
	text->data[TEXT_BYTES - 1] = 0;
	if (!strncmp((char *)text->data, "stop", 4))
		end();
	talk((char *)text->data);
	if (!strncmp((char *)text->data, "start", 5))
		begin();
	g_byte_array_free(reg, TRUE);
	g_byte_array_free(text, TRUE);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		qemu_plugin_u64 counter = { score, slot_of(qemu_plugin_insn_vaddr(insn)) * sizeof(uint64_t) };
		uint8_t code[sizeof(mark_insn)];

		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, QEMU_PLUGIN_INLINE_ADD_U64, counter, 1);
		if (qemu_plugin_insn_size(insn) == sizeof(code) &&
		    qemu_plugin_insn_data(insn, code, sizeof(code)) == sizeof(code) &&
		    !memcmp(code, mark_insn, sizeof(code)) && !(qemu_plugin_insn_vaddr(insn) >> 63))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, mark, QEMU_PLUGIN_CB_R_REGS, NULL);
	}
}

static void vcpu_init(qemu_plugin_id_t id, unsigned int cpu)
{
	GArray *regs = qemu_plugin_get_registers();
	unsigned int i;

	(void)id;
	(void)cpu;
	for (i = 0; i < regs->len; i++) {
		qemu_plugin_reg_descriptor *r = &g_array_index(regs, qemu_plugin_reg_descriptor, i);

		if (!strcmp(r->name, "rax"))
			rax = r->handle;
	}
	g_array_free(regs, TRUE);
	if (!rax) {
		errno = ENOENT;
		die("no register RAX");
	}
}

static int connect_to(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(path) >= sizeof(addr.sun_path))
		return -1;
	strcpy(addr.sun_path, path);
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return -1;
	ctl = fd;
	return 0;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	const char *path = NULL;
	int i;

	if (strcmp(info->target_name, "x86_64") || !info->system_emulation || info->system.max_vcpus != 1) {
		fprintf(stderr, "count plugin: wants an x86_64 machine with one CPU\n");
		return -1;
	}
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "ctl=", 4)) {
			path = argv[i] + 4;
		} else if (!strncmp(argv[i], "out=", 4)) {
			out_name = strdup(argv[i] + 4);
		} else {
			fprintf(stderr, "count plugin: what is %s?\n", argv[i]);
			return -1;
		}
	}
	if (!path || !out_name) {
		fprintf(stderr, "count plugin: wants ctl=SOCKET,out=FILE\n");
		return -1;
	}
	if (connect_to(path)) {
		fprintf(stderr, "count plugin: %s: %s\n", path, strerror(errno));
		return -1;
	}
	slots = g_hash_table_new(NULL, NULL);
	score = qemu_plugin_scoreboard_new(NR_SLOTS * sizeof(uint64_t));
	qemu_plugin_register_vcpu_init_cb(id, vcpu_init);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
