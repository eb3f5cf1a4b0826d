/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wangxun Amber-Lite Ethernet adapters FF5025 (25G), FF5040 (40G) and FF5010
 * (10G): the PCI shell of one port (one PCI function).
 *
 * Written from a register reference gathered from public drivers
 * (docs/hardware/); no data sheet was available.  docs/emulator.md says what
 * is modelled from which part of it and what is a guess.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qemu/range.h"
#include "qemu/units.h"
#include "qemu/error-report.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "hw/pci/msi.h"
#include "hw/pci/msix.h"
#include "hw/pci/pcie.h"
#include "hw/pci/pcie_regs.h"
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "migration/vmstate.h"
#include "ff50xx_int.h"

/*
 * Config space.  The PCI Express capability sits where a driver is known to
 * read it by absolute offset; 0x160 and up is free for ARI and SR-IOV.
 */
#define CAP_PM          0x40
#define CAP_MSI         0x50
#define CAP_MSIX        0x70
#define CAP_VPD         0x90
#define CAP_EXP         0xA0
#define ECAP_AER        0x100
#define ECAP_DSN        0x150

#define MSIX_BAR        4
#define MSIX_BAR_SIZE   0x4000
#define MSIX_PBA        0x2000

#define LOG_LINES_MAX   100000  /* per function: a fuzzer must not fill disks */

static GPtrArray *all_ports;

static const char *const vio_class[FF50_VIO__MAX] = {
    [FF50_VIO_UNNAMED] = "unnamed-offset",
    [FF50_VIO_RESERVED] = "reserved-bit",
    [FF50_VIO_RO_WRITE] = "read-only-write",
    [FF50_VIO_WO_READ] = "write-only-read",
    [FF50_VIO_SIZE] = "size",
    [FF50_VIO_INDEX] = "index-range",
    [FF50_VIO_DESC_FIELD] = "desc-field",
    [FF50_VIO_DESC_SEQ] = "desc-sequence",
    [FF50_VIO_RING_STATE] = "ring-state",
    [FF50_VIO_DMA_GATE] = "dma-gate",
    [FF50_VIO_FW_REQUEST] = "fw-request",
    [FF50_VIO_RESET_ORDER] = "reset-order",
    [FF50_VIO_DMA_FAULT] = "dma-fault",
};

const char *ff50_id(const FF50State *s)
{
    const char *id = DEVICE(s)->id;

    return id ? id : "unnamed";
}

void ff50_violation(FF50State *s, FF50Vio cls, uint32_t off, uint64_t val,
                    const char *fmt, ...)
{
    char name[40], text[256];
    va_list ap;

    s->violations++;
    if (s->violations > LOG_LINES_MAX) {
        return;
    }
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    ff50_reg_name(off, name, sizeof(name));
    qemu_log_mask(LOG_GUEST_ERROR, "ff50xx %s: %s %s 0x%" PRIx64 " %s\n",
                  ff50_id(s), vio_class[cls], name, val, text);
    if (s->vio_log) {
        fprintf(s->vio_log, "VIOLATION %s %s %s 0x%" PRIx64 " %s\n",
                ff50_id(s), vio_class[cls], name, val, text);
        fflush(s->vio_log);
    }
}

/* ------------------------------------------------------------------ */
/* DMA                                                                  */

static bool ff50_master(const FF50State *s)
{
    return (pci_get_word(s->parent_obj.config + PCI_COMMAND) &
            PCI_COMMAND_MASTER) && !ff50_pm_asleep(s);
}

bool ff50_dma_ok(const FF50State *s)
{
    return ff50_master(s) && (ff50_rd(s, PX_PF_BME) & 1) && !s->fault.removed;
}

static bool ff50_dma_gate(FF50State *s, uint64_t addr)
{
    if (ff50_dma_ok(s)) {
        return true;
    }
    ff50_violation(s, FF50_VIO_DMA_GATE, PX_PF_BME, addr, "%s",
                   s->fault.removed ? "DMA while removed" :
                   ff50_master(s) ? "DMA while PX_PF_BME bit 0 is clear" :
                   "DMA while PCI bus mastering is off");
    return false;
}

bool ff50_dma_read(FF50State *s, uint64_t addr, void *buf, uint32_t len,
                   FF50Dma kind)
{
    if (!len) {
        return true;
    }
    if (!ff50_dma_gate(s, addr)) {
        memset(buf, 0, len);
        return false;
    }
    if (kind == FF50_DMA_DATA) {
        s->cnt.dma_rd_data++;
        s->cnt.dma_rd_data_bytes += len;
    } else {
        s->cnt.dma_rd_desc++;
        s->cnt.dma_rd_desc_bytes += len;
    }
    if (pci_dma_read(&s->parent_obj, addr, buf, len) != MEMTX_OK) {
        memset(buf, 0, len);
        ff50_violation(s, FF50_VIO_DMA_FAULT, PX_TRANSACTION_PENDING, addr,
                       "read of %u bytes failed on the bus", len);
        return false;
    }
    return true;
}

bool ff50_dma_write(FF50State *s, uint64_t addr, const void *buf,
                    uint32_t len, FF50Dma kind)
{
    if (!len) {
        return true;
    }
    if (!ff50_dma_gate(s, addr)) {
        return false;
    }
    switch (kind) {
    case FF50_DMA_DATA:
        s->cnt.dma_wr_data++;
        s->cnt.dma_wr_data_bytes += len;
        break;
    case FF50_DMA_ISB:
        s->cnt.dma_wr_isb++;
        break;
    default:
        s->cnt.dma_wr_desc++;
        s->cnt.dma_wr_desc_bytes += len;
        break;
    }
    if (pci_dma_write(&s->parent_obj, addr, buf, len) != MEMTX_OK) {
        ff50_violation(s, FF50_VIO_DMA_FAULT, PX_TRANSACTION_PENDING, addr,
                       "write of %u bytes failed on the bus", len);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ */
/* BAR0                                                                 */

static void ff50_mmio_trace(FF50State *s, char dir, hwaddr off, uint64_t val)
{
    if (s->mmio_log) {
        fprintf(s->mmio_log, "%c 0x%05" HWADDR_PRIx " 0x%08" PRIx64 "\n",
                dir, off, val);
    }
}

static uint64_t ff50_bar0_read(void *opaque, hwaddr off, unsigned size)
{
    FF50State *s = opaque;
    uint64_t val;

    s->cnt.mmio_read++;
    if (s->fault.removed) {
        val = UINT64_MAX >> (64 - 8 * size);
    } else if (size != 4 || (off & 3)) {
        ff50_violation(s, FF50_VIO_SIZE, off & ~3u, size,
                       "read of %u bytes at 0x%" HWADDR_PRIx, size, off);
        val = 0;
    } else {
        val = ff50_reg_read(s, off);
    }
    ff50_mmio_trace(s, 'R', off, val);
    return val;
}

static bool ff50_is_doorbell(hwaddr off, bool *tx, unsigned *q)
{
    if (off >= PX_RR_BAL(0) && off < PX_RR_BAL(FF50_NR_QUEUES)) {
        *tx = false;
        *q = (off - PX_RR_BAL(0)) / 0x40;
        return off == PX_RR_WP(*q);
    }
    if (off >= PX_TR_BAL(0) && off < PX_TR_BAL(FF50_NR_QUEUES)) {
        *tx = true;
        *q = (off - PX_TR_BAL(0)) / 0x40;
        return off == PX_TR_WP(*q);
    }
    return false;
}

static void ff50_bar0_write(void *opaque, hwaddr off, uint64_t val,
                            unsigned size)
{
    FF50State *s = opaque;
    unsigned q;
    bool tx;

    ff50_mmio_trace(s, 'W', off, val);
    if (ff50_is_doorbell(off, &tx, &q)) {
        if (tx) {
            s->cnt.doorbell_tx++;
        } else {
            s->cnt.doorbell_rx++;
        }
    } else {
        s->cnt.mmio_write++;
    }
    if (s->fault.removed) {
        return;
    }
    if (size != 4 || (off & 3)) {
        ff50_violation(s, FF50_VIO_SIZE, off & ~3u, val,
                       "write of %u bytes at 0x%" HWADDR_PRIx, size, off);
        return;
    }
    ff50_reg_write(s, off, val);
}

static const MemoryRegionOps ff50_bar0_ops = {
    .read = ff50_bar0_read,
    .write = ff50_bar0_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    /* every width comes in, so that a wrong one can be reported */
    .valid = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
    .impl = { .min_access_size = 1, .max_access_size = 8, .unaligned = true },
};

/* ------------------------------------------------------------------ */
/* Reset                                                                */

void ff50_port_reset(FF50State *s, FF50Reset level)
{
    ff50_regs_reset(s, level);
    if (level == FF50_RESET_MAC) {
        return;
    }
    ff50_boot_port(s, level);
    ff50_wire_rx_flush(s);
    ff50_irq_reset(s);
    ff50_stats_reset(s);
    ff50_ptp_reset(s);
    ff50_dp_reset(s);
    if (level == FF50_RESET_CHIP) {
        ff50_fw_reset(s);
        ff50_wire_flush(s);
        ff50_link_power_on(s);
    }
    ff50_wire_gate_changed(s);
}

void ff50_chip_reset(FF50Card *card, FF50RstType type)
{
    unsigned i;

    /* the drivers are told while their interrupts still work */
    for (i = 0; i < ARRAY_SIZE(card->port); i++) {
        if (card->port[i]) {
            ff50_misc_cause(card->port[i], MISC_DEV_RST);
        }
    }
    ff50_card_reset(card);
    ff50_boot_card(card, type);
    card->mis[(MIS_RST_ST - FF50_SHARED_MIS) / 4] = (uint32_t)type << 16;
    for (i = 0; i < ARRAY_SIZE(card->port); i++) {
        if (card->port[i]) {
            ff50_port_reset(card->port[i], FF50_RESET_CHIP);
        }
    }
}

/* Reset values of the Device Control register by the PCI Express specification; QEMU's are all 0 */
static void ff50_pcie_reset(PCIDevice *pdev)
{
    if (pci_is_express(pdev)) {
        pci_set_word(pdev->config + CAP_EXP + PCI_EXP_DEVCTL,
                     PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN |
                     PCI_EXP_DEVCTL_READRQ_512B);
    }
}

static void ff50_reset_hold(Object *obj, ResetType type)
{
    FF50State *s = FF50XX_BASE(obj);

    s->was_master = false;
    ff50_pcie_reset(PCI_DEVICE(s));
    if (s->in_flr) {
        ff50_port_reset(s, FF50_RESET_LAN);
        return;
    }
    ff50_card_reset(s->card);
    ff50_boot_card(s->card, FF50_RST_TYPE_POWER);
    ff50_port_reset(s, FF50_RESET_CHIP);
}

/* ------------------------------------------------------------------ */
/* Config space                                                         */

static void ff50_master_check(FF50State *s)
{
    bool master = ff50_master(s);

    if (master != s->was_master) {
        s->was_master = master;
        ff50_dp_gate_changed(s);
        ff50_wire_gate_changed(s);
        if (master) {
            ff50_tx_kick(s);
        }
    }
}

/*
 * Vital product data: an address word with a flag, and four bytes.  A read is
 * over at once; a write is refused by doing nothing, also at once.
 */
static void ff50_vpd_write(FF50State *s, uint32_t addr, int len)
{
    uint8_t *cap = s->parent_obj.config + CAP_VPD;
    uint16_t a;

    if (!ranges_overlap(addr, len, CAP_VPD + PCI_VPD_ADDR, 2)) {
        return;
    }
    a = pci_get_word(cap + PCI_VPD_ADDR);
    if (a & PCI_VPD_ADDR_F) {
        pci_set_word(cap + PCI_VPD_ADDR, a & PCI_VPD_ADDR_MASK);
    } else {
        pci_set_long(cap + PCI_VPD_DATA, a < FLASH_VPD_BYTES ?
                     ff50_flash_read(s, FLASH_VPD + a) : UINT32_MAX);
        pci_set_word(cap + PCI_VPD_ADDR, a | PCI_VPD_ADDR_F);
    }
}

static void ff50_config_write(PCIDevice *pdev, uint32_t addr, uint32_t val,
                              int len)
{
    FF50State *s = FF50XX_BASE(pdev);

    bool asleep = ff50_pm_asleep(s);

    if (s->fault.removed) {
        return;
    }
    pci_default_write_config(pdev, addr, val, len);
    ff50_vpd_write(s, addr, len);
    if (asleep && !ff50_pm_asleep(s)) {
        /* No_Soft_Reset is 0: what comes back is not what went to sleep */
        s->in_flr = true;
        pci_device_reset(pdev);
        s->in_flr = false;
    }
    if (pci_is_express(pdev)) {
        s->in_flr = true;
        pcie_cap_flr_write_config(pdev, addr, val, len);
        s->in_flr = false;
        pcie_aer_write_config(pdev, addr, val, len);
    }
    ff50_master_check(s);
    ff50_irq_eval(s);               /* MSI-X or MSI may have been enabled */
}

static uint32_t ff50_config_read(PCIDevice *pdev, uint32_t addr, int len)
{
    FF50State *s = FF50XX_BASE(pdev);

    if (s->fault.removed) {
        return UINT32_MAX >> (32 - 8 * len);
    }
    return pci_default_read_config(pdev, addr, len);
}

static void ff50_add_vpd(PCIDevice *pdev, Error **errp)
{
    if (pci_add_capability(pdev, PCI_CAP_ID_VPD, CAP_VPD, PCI_CAP_VPD_SIZEOF,
                           errp) >= 0) {
        pci_set_word(pdev->wmask + CAP_VPD + PCI_VPD_ADDR, 0xFFFF);
    }
}

static void ff50_add_pm(PCIDevice *pdev, Error **errp)
{
    if (pci_pm_init(pdev, CAP_PM, errp) < 0) {
        return;
    }
    ff50_pm_init(FF50XX_BASE(pdev));
    pci_set_word(pdev->config + CAP_PM + PCI_PM_PMC,
                 PCI_PM_CAP_VER_1_1 | PCI_PM_CAP_PME_D3hot);
    pci_set_word(pdev->wmask + CAP_PM + PCI_PM_CTRL,
                 PCI_PM_CTRL_STATE_MASK | PCI_PM_CTRL_PME_ENABLE);
    pci_set_word(pdev->w1cmask + CAP_PM + PCI_PM_CTRL, PCI_PM_CTRL_PME_STATUS);
}

/* ------------------------------------------------------------------ */
/* Realize                                                              */

static FILE *ff50_open_log(const char *path, Error **errp)
{
    FILE *f = fopen(path, "a");

    if (!f) {
        error_setg_errno(errp, errno, "cannot open '%s'", path);
        return NULL;
    }
    setvbuf(f, NULL, _IOLBF, 0);
    return f;
}

void ff50_for_each(void (*fn)(FF50State *s, void *opaque), void *opaque)
{
    for (unsigned i = 0; all_ports && i < all_ports->len; i++) {
        fn(g_ptr_array_index(all_ports, i), opaque);
    }
}

static bool ff50_init_pci(FF50State *s, Error **errp)
{
    PCIDevice *pdev = &s->parent_obj;
    FF50Class *k = FF50XX_BASE_GET_CLASS(s);
    Error *err = NULL;
    int ret;

    pci_config_set_device_id(pdev->config,
                             s->prop_device_id ?: k->device_id);
    pci_config_set_revision(pdev->config, s->prop_revision);
    pci_set_word(pdev->config + PCI_SUBSYSTEM_VENDOR_ID,
                 s->prop_subsys_vendor);
    pci_set_word(pdev->config + PCI_SUBSYSTEM_ID, s->prop_subsys);
    pdev->config[PCI_CACHE_LINE_SIZE] = 0x10;
    pci_config_set_interrupt_pin(pdev->config, 1 + s->prop_port);

    memory_region_init_io(&s->bar0, OBJECT(s), &ff50_bar0_ops, s,
                          "ff50xx-regs", FF50_BAR0_SIZE);
    pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY |
                     PCI_BASE_ADDRESS_MEM_TYPE_64, &s->bar0);
    memory_region_init(&s->msix_bar, OBJECT(s), "ff50xx-msix", MSIX_BAR_SIZE);
    pci_register_bar(pdev, MSIX_BAR, PCI_BASE_ADDRESS_SPACE_MEMORY |
                     PCI_BASE_ADDRESS_MEM_TYPE_64, &s->msix_bar);

    ff50_add_pm(pdev, &err);
    if (err) {
        error_propagate(errp, err);
        return false;
    }
    ff50_add_vpd(pdev, &err);
    if (err) {
        error_propagate(errp, err);
        return false;
    }
    if (s->prop_msi && msi_init(pdev, CAP_MSI, 1, true, false, errp)) {
        return false;
    }
    if (s->prop_msix_vectors) {
        ret = msix_init(pdev, s->prop_msix_vectors, &s->msix_bar, MSIX_BAR, 0,
                        &s->msix_bar, MSIX_BAR, MSIX_PBA, CAP_MSIX, errp);
        if (ret) {
            return false;
        }
        for (unsigned i = 0; i < s->prop_msix_vectors; i++) {
            msix_vector_use(pdev, i);
        }
        s->msix_ok = true;
    }
    if (pci_is_express(pdev)) {
        if (pcie_endpoint_cap_init(pdev, CAP_EXP) < 0) {
            error_setg(errp, "PCI Express capability does not fit");
            return false;
        }
        pcie_cap_fill_link_ep_usp(pdev, s->prop_pcie_width,
                                  s->prop_pcie_speed);
        pcie_cap_deverr_init(pdev);
        pci_word_test_and_set_mask(pdev->wmask + CAP_EXP + PCI_EXP_DEVCTL,
                                   PCI_EXP_DEVCTL_RELAX_EN |
                                   PCI_EXP_DEVCTL_NOSNOOP_EN |
                                   PCI_EXP_DEVCTL_READRQ);
        pcie_cap_flr_init(pdev);
        if (pcie_aer_init(pdev, 2, ECAP_AER, PCI_ERR_SIZEOF, errp) < 0) {
            return false;
        }
        pcie_dev_ser_num_init(pdev, ECAP_DSN, s->prop_serial);
    }
    return true;
}

static bool ff50_check_props(FF50State *s, Error **errp)
{
    if (s->prop_port > 1) {
        error_setg(errp, "port must be 0 or 1");
        return false;
    }
    if (s->prop_msix_vectors > FF50_NR_VECTORS) {
        error_setg(errp, "msix-vectors must be at most %d", FF50_NR_VECTORS);
        return false;
    }
    if (!s->prop_fifo_frames || s->prop_fifo_frames > 65536 ||
        s->prop_fifo_bytes < FF50_MAX_FRAME ||
        s->prop_fifo_bytes > 64 * MiB) {
        error_setg(errp, "fifo-frames must be 1..65536 and fifo-bytes "
                   "%d..%" PRId64, FF50_MAX_FRAME, 64 * MiB);
        return false;
    }
    if (!s->prop_serial) {
        /* an EUI-64 made of the MAC address, as cards usually have it */
        const uint8_t *m = s->nic_conf.macaddr.a;

        s->prop_serial = (uint64_t)m[0] << 56 | (uint64_t)m[1] << 48 |
                         (uint64_t)m[2] << 40 | 0xFFFFull << 24 |
                         m[3] << 16 | m[4] << 8 | m[5];
    }
    return true;
}

static void ff50_exit(PCIDevice *pdev)
{
    FF50State *s = FF50XX_BASE(pdev);

    g_ptr_array_remove(all_ports, s);
    ff50_link_fini(s);
    ff50_wire_fini(s);
    ff50_dp_fini(s);
    ff50_ptp_fini(s);
    ff50_boot_fini(s);
    ff50_fw_fini(s);
    ff50_irq_fini(s);
    ff50_card_leave(s);
    if (pdev->exp.exp_cap) {
        if (pdev->exp.aer_cap) {
            pcie_aer_exit(pdev);
        }
        pcie_cap_exit(pdev);
    }
    if (s->msix_ok) {
        msix_unuse_all_vectors(pdev);
        msix_uninit(pdev, &s->msix_bar, &s->msix_bar);
    }
    msi_uninit(pdev);
    if (s->vio_log) {
        fclose(s->vio_log);
    }
    if (s->mmio_log) {
        fclose(s->mmio_log);
    }
    s->vio_log = s->mmio_log = NULL;
}

static void ff50_realize(PCIDevice *pdev, Error **errp)
{
    FF50State *s = FF50XX_BASE(pdev);
    FF50Class *k = FF50XX_BASE_GET_CLASS(s);
    Error *err = NULL;

    s->kind = k->kind;
    qemu_macaddr_default_if_unset(&s->nic_conf.macaddr);
    if (!ff50_check_props(s, errp)) {
        return;
    }
    if (s->prop_vio_log &&
        !(s->vio_log = ff50_open_log(s->prop_vio_log, errp))) {
        return;
    }
    if (s->prop_mmio_log &&
        !(s->mmio_log = ff50_open_log(s->prop_mmio_log, errp))) {
        return;
    }
    if (!ff50_card_join(s, errp)) {
        return;
    }
    g_ptr_array_add(all_ports, s);
    ff50_irq_init(s);
    ff50_fw_init(s);
    ff50_boot_init(s);
    ff50_ptp_init(s);
    ff50_dp_init(s);
    ff50_link_init(s);
    if (!ff50_wire_init(s, errp)) {
        ff50_exit(pdev);
        return;
    }
    if (!ff50_link_set_module(s, s->prop_module ?:
                              k->default_module, &err) ||
        !ff50_init_pci(s, &err)) {
        error_propagate(errp, err);
        ff50_exit(pdev);
        return;
    }
    ff50_link_pair(s);
}

/* ------------------------------------------------------------------ */
/* Run-time properties                                                  */

static char *ff50_get_counters(Object *obj, Error **errp)
{
    return ff50_counters_json(FF50XX_BASE(obj));
}

static bool ff50_get_counters_reset(Object *obj, Error **errp)
{
    return false;
}

static void ff50_set_counters_reset(Object *obj, bool v, Error **errp)
{
    if (v) {
        memset(&FF50XX_BASE(obj)->cnt, 0, sizeof(FF50Counters));
    }
}

static void ff50_get_violations(Object *obj, Visitor *v, const char *name,
                                void *opaque, Error **errp)
{
    visit_type_uint64(v, name, &FF50XX_BASE(obj)->violations, errp);
}

static char *ff50_get_module(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    return g_strdup(s->link ? ff50_link_module_name(s) : s->prop_module);
}

static void ff50_set_module(Object *obj, const char *v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    if (s->link) {
        ff50_link_set_module(s, v, errp);
        return;
    }
    if (!ff50_module_find(v)) {
        error_setg(errp, "no module is called '%s'", v);
        return;
    }
    g_free(s->prop_module);
    s->prop_module = g_strdup(v);
}

static bool ff50_get_cable(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    return s->link ? ff50_link_cable(s) : !s->prop_no_cable;
}

static void ff50_set_cable(Object *obj, bool v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    s->prop_no_cable = !v;
    if (s->link) {
        ff50_link_set_cable(s, v);
    }
}

static char *ff50_get_link(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    return g_strdup_printf("%u", s->link ? ff50_link_speed(s) : 0);
}

static char *ff50_get_driver_version(Object *obj, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    return s->fw ? ff50_fw_driver_version(s) : g_strdup("");
}

static const char *const fault_fw_names[] = {
    "none", "silent", "slow", "garbage", "unknown", "short", NULL
};
static const char *const fault_wb_names[] = { "none", "late", "batch", NULL };

static bool ff50_parse_name(const char *const *names, const char *v, int *out,
                            Error **errp)
{
    for (int i = 0; names[i]; i++) {
        if (!strcmp(names[i], v)) {
            *out = i;
            return true;
        }
    }
    error_setg(errp, "'%s' is not one of the known values", v);
    return false;
}

static char *ff50_get_fault_fw(Object *obj, Error **errp)
{
    return g_strdup(fault_fw_names[FF50XX_BASE(obj)->fault.fw]);
}

static void ff50_set_fault_fw(Object *obj, const char *v, Error **errp)
{
    ff50_parse_name(fault_fw_names, v, &FF50XX_BASE(obj)->fault.fw, errp);
}

static const char *const fault_module_names[] = { "none", "nak", "short", NULL };

static char *ff50_get_fault_module(Object *obj, Error **errp)
{
    return g_strdup(fault_module_names[FF50XX_BASE(obj)->fault.module]);
}

static void ff50_set_fault_module(Object *obj, const char *v, Error **errp)
{
    ff50_parse_name(fault_module_names, v, &FF50XX_BASE(obj)->fault.module,
                    errp);
}

static const char *const fault_boot_names[] = {
    "none", "flash", "lan", "firmware", "all", NULL
};

static char *ff50_get_fault_boot(Object *obj, Error **errp)
{
    return g_strdup(fault_boot_names[FF50XX_BASE(obj)->fault.boot]);
}

static void ff50_set_fault_boot(Object *obj, const char *v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    if (ff50_parse_name(fault_boot_names, v, &s->fault.boot, errp)) {
        ff50_boot_fault_changed(s);
    }
}

static char *ff50_get_fault_wb(Object *obj, Error **errp)
{
    return g_strdup(fault_wb_names[FF50XX_BASE(obj)->fault.wb]);
}

static void ff50_set_fault_wb(Object *obj, const char *v, Error **errp)
{
    FF50State *s = FF50XX_BASE(obj);

    if (ff50_parse_name(fault_wb_names, v, &s->fault.wb, errp) && s->dp) {
        ff50_dp_fault_changed(s);
    }
}

/* Faults that are numbers or flags: name, field, what to tell on change. */
typedef enum FF50FaultKind {
    FAULT_NUMBER,
    FAULT_FLAG,
    FAULT_RING,                     /* -1: none */
} FF50FaultKind;

typedef struct FF50FaultProp {
    const char *name;
    size_t offset;
    FF50FaultKind kind;
    void (*changed)(FF50State *s);
} FF50FaultProp;

/* Is no port but @s left in its slot? */
static bool ff50_card_without_power(const FF50State *s)
{
    for (unsigned i = 0; i < ARRAY_SIZE(s->card->port); i++) {
        const FF50State *p = s->card->port[i];

        if (p && p != s && !p->fault.removed) {
            return false;
        }
    }
    return true;
}

/*
 * What comes back has been without power: rings of the time before must not
 * run again, into memory that has other owners by now. The BARs stay, for a
 * guest that does not rescan the bus. What the ports share is reset with the
 * first of them.
 */
static void ff50_fault_removed_changed(FF50State *s)
{
    uint8_t *config = s->parent_obj.config;

    if (!s->fault.removed) {
        pci_set_word(config + PCI_COMMAND,
                     pci_get_word(config + PCI_COMMAND) & ~PCI_COMMAND_MASTER);
        ff50_master_check(s);
        if (ff50_card_without_power(s)) {
            ff50_card_reset(s->card);
            ff50_boot_card(s->card, FF50_RST_TYPE_POWER);
        }
        ff50_port_reset(s, FF50_RESET_CHIP);
    }
    ff50_dp_gate_changed(s);
    ff50_wire_gate_changed(s);
    ff50_link_changed(s);
}

static void ff50_tx_gate_changed(FF50State *s)
{
    s->tx_shut = s->tx_shut && s->fault.tx_gate;
    ff50_tx_kick(s);
}

static void ff50_ecc_changed(FF50State *s)
{
    if (s->fault.ecc) {
        ff50_misc_cause(s, MISC_INT_ERR);
    }
}

static void ff50_stall_changed(FF50State *s)
{
    ff50_dp_fault_changed(s);
    ff50_tx_kick(s);
}

#define FAULT(n, f, kind, c) \
    { n, offsetof(FF50State, fault.f), FAULT_ ## kind, c }
static const FF50FaultProp fault_props[] = {
    FAULT("fault-fw-delay-ms", fw_delay_ms, NUMBER, NULL),
    FAULT("fault-boot-ms", boot_ms, NUMBER, ff50_boot_fault_changed),
    FAULT("fault-wb-us", wb_us, NUMBER, ff50_dp_fault_changed),
    FAULT("fault-lost-irq", lost_irq, NUMBER, NULL),
    FAULT("fault-removed", removed, FLAG, ff50_fault_removed_changed),
    FAULT("fault-rx-loss", rx_loss, NUMBER, NULL),
    FAULT("fault-rx-corrupt", rx_corrupt, NUMBER, NULL),
    FAULT("fault-rx-csum", rx_csum, NUMBER, NULL),
    FAULT("fault-flap-ms", flap_ms, NUMBER, ff50_link_flap_changed),
    FAULT("fault-eeprom", eeprom, FLAG, NULL),
    FAULT("fault-tx-fault", tx_fault, FLAG, ff50_link_changed),
    FAULT("fault-tx-gate", tx_gate, FLAG, ff50_tx_gate_changed),
    FAULT("fault-stuck", stuck, FLAG, NULL),
    FAULT("fault-ecc", ecc, FLAG, ff50_ecc_changed),
    FAULT("fault-pending", pending, FLAG, NULL),
    FAULT("fault-tx-stall", tx_stall, FLAG, ff50_stall_changed),
    FAULT("fault-tx-stall-ring", tx_ring, RING, ff50_dp_ring_stall_changed),
    FAULT("fault-rx-stall-ring", rx_ring, RING, ff50_dp_ring_stall_changed),
    FAULT("fault-first-frame-lost", first_frame_lost, FLAG, NULL),
};

static void ff50_get_fault(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    const FF50FaultProp *p = opaque;
    void *field = (char *)FF50XX_BASE(obj) + p->offset;

    switch (p->kind) {
    case FAULT_FLAG:
        visit_type_bool(v, name, field, errp);
        break;
    case FAULT_RING:
        visit_type_int32(v, name, field, errp);
        break;
    default:
        visit_type_uint32(v, name, field, errp);
    }
}

static bool ff50_take_fault(const FF50FaultProp *p, void *field, Visitor *v,
                            const char *name, Error **errp)
{
    bool b;
    int32_t ring;
    uint32_t n;

    switch (p->kind) {
    case FAULT_FLAG:
        if (!visit_type_bool(v, name, &b, errp)) {
            return false;
        }
        *(bool *)field = b;
        return true;
    case FAULT_RING:
        if (!visit_type_int32(v, name, &ring, errp)) {
            return false;
        }
        if (ring < -1 || ring >= FF50_NR_QUEUES) {
            error_setg(errp, "%s is a ring, 0..%d, or -1 for none", p->name,
                       FF50_NR_QUEUES - 1);
            return false;
        }
        *(int32_t *)field = ring;
        return true;
    default:
        if (!visit_type_uint32(v, name, &n, errp)) {
            return false;
        }
        *(uint32_t *)field = n;
        return true;
    }
}

static void ff50_set_fault(Object *obj, Visitor *v, const char *name,
                           void *opaque, Error **errp)
{
    const FF50FaultProp *p = opaque;
    FF50State *s = FF50XX_BASE(obj);

    if (ff50_take_fault(p, (char *)s + p->offset, v, name, errp) &&
        p->changed && s->link && s->dp) {
        p->changed(s);
    }
}

static const Property ff50_properties[] = {
    DEFINE_NIC_PROPERTIES(FF50State, nic_conf),
    DEFINE_PROP_STRING("card", FF50State, prop_card),
    DEFINE_PROP_UINT8("port", FF50State, prop_port, 0),
    DEFINE_PROP_UINT16("device-id", FF50State, prop_device_id, 0),
    DEFINE_PROP_UINT16("subsystem-vendor-id", FF50State, prop_subsys_vendor,
                       FF50_VENDOR_ID),
    DEFINE_PROP_UINT16("subsystem-id", FF50State, prop_subsys, 0),
    DEFINE_PROP_UINT8("revision", FF50State, prop_revision, 0),
    DEFINE_PROP_UINT64("serial", FF50State, prop_serial, 0),
    DEFINE_PROP_STRING("peer", FF50State, prop_peer),
    DEFINE_PROP_UINT32("line-rate", FF50State, prop_line_rate, 0),
    DEFINE_PROP_UINT32("fifo-frames", FF50State, prop_fifo_frames, 512),
    DEFINE_PROP_UINT32("fifo-bytes", FF50State, prop_fifo_bytes, 512 * KiB),
    DEFINE_PROP_STRING("partner-speed", FF50State, prop_partner_speed),
    DEFINE_PROP_UINT32("link-up-ms", FF50State, prop_link_up_ms, 50),
    DEFINE_PROP_PCIE_LINK_SPEED("pcie-speed", FF50State, prop_pcie_speed,
                                PCIE_LINK_SPEED_8),
    DEFINE_PROP_PCIE_LINK_WIDTH("pcie-width", FF50State, prop_pcie_width,
                                PCIE_LINK_WIDTH_8),
    DEFINE_PROP_UINT32("msix-vectors", FF50State, prop_msix_vectors,
                       FF50_NR_VECTORS),
    DEFINE_PROP_BOOL("msi", FF50State, prop_msi, true),
    DEFINE_PROP_UINT32("eeprom-caps", FF50State, prop_eeprom_caps, UINT32_MAX),
    DEFINE_PROP_STRING("violations-log", FF50State, prop_vio_log),
    DEFINE_PROP_STRING("mmio-log", FF50State, prop_mmio_log),
};

static void ff50_instance_init(Object *obj)
{
    FF50State *s = FF50XX_BASE(obj);

    s->fault.tx_ring = s->fault.rx_ring = -1;
}

static void ff50_instance_finalize(Object *obj)
{
    g_free(FF50XX_BASE(obj)->prop_module);
}

static const VMStateDescription ff50_vmstate = {
    .name = "ff50xx",
    .unmigratable = 1,
};

static void ff50_base_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);
    static const char *const kinds[] = {
        [FAULT_NUMBER] = "uint32", [FAULT_FLAG] = "bool", [FAULT_RING] = "int32",
    };
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    all_ports = g_ptr_array_new();
    ff50_regs_init();

    pc->realize = ff50_realize;
    pc->exit = ff50_exit;
    pc->config_write = ff50_config_write;
    pc->config_read = ff50_config_read;
    pc->vendor_id = FF50_VENDOR_ID;
    pc->class_id = PCI_CLASS_NETWORK_ETHERNET;
    rc->phases.hold = ff50_reset_hold;
    dc->vmsd = &ff50_vmstate;
    device_class_set_props(dc, ff50_properties);
    set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);

    object_class_property_add_str(klass, "counters", ff50_get_counters, NULL);
    object_class_property_add_bool(klass, "counters-reset",
                                   ff50_get_counters_reset,
                                   ff50_set_counters_reset);
    object_class_property_add(klass, "violations", "uint64",
                              ff50_get_violations, NULL, NULL, NULL);
    object_class_property_add_str(klass, "module", ff50_get_module,
                                  ff50_set_module);
    object_class_property_add_bool(klass, "cable", ff50_get_cable,
                                   ff50_set_cable);
    object_class_property_add_str(klass, "link", ff50_get_link, NULL);
    object_class_property_add_str(klass, "driver-version",
                                  ff50_get_driver_version, NULL);
    object_class_property_add_str(klass, "fault-fw", ff50_get_fault_fw,
                                  ff50_set_fault_fw);
    object_class_property_add_str(klass, "fault-boot", ff50_get_fault_boot,
                                  ff50_set_fault_boot);
    object_class_property_add_str(klass, "fault-wb", ff50_get_fault_wb,
                                  ff50_set_fault_wb);
    object_class_property_add_str(klass, "fault-module", ff50_get_fault_module,
                                  ff50_set_fault_module);
    for (unsigned i = 0; i < ARRAY_SIZE(fault_props); i++) {
        object_class_property_add(klass, fault_props[i].name,
                                  kinds[fault_props[i].kind],
                                  ff50_get_fault, ff50_set_fault, NULL,
                                  (void *)&fault_props[i]);
    }
    ff50_link_props(klass);
    ff50_therm_props(klass);
    ff50_ptp_props(klass);
    ff50_wire_props(klass);
}

static void ff5025_class_init(ObjectClass *klass, void *data)
{
    FF50Class *k = FF50XX_BASE_CLASS(klass);

    k->kind = FF50_KIND_AML;
    k->device_id = 0x5025;
    k->default_speed = 25000;
    k->default_module = "sfp28-sr";
    DEVICE_CLASS(klass)->desc = "Wangxun FF5025 25G Ethernet port";
}

static void ff5010_class_init(ObjectClass *klass, void *data)
{
    FF50Class *k = FF50XX_BASE_CLASS(klass);

    k->kind = FF50_KIND_AML;
    k->device_id = 0x5010;
    k->default_speed = 10000;
    k->default_module = "sfp-sr";
    DEVICE_CLASS(klass)->desc = "Wangxun FF5010 10G Ethernet port";
}

static void ff5040_class_init(ObjectClass *klass, void *data)
{
    FF50Class *k = FF50XX_BASE_CLASS(klass);

    k->kind = FF50_KIND_AML40;
    k->device_id = 0x5040;
    k->default_speed = 40000;
    k->default_module = "qsfp-sr4";
    DEVICE_CLASS(klass)->desc = "Wangxun FF5040 40G Ethernet port";
}

static const TypeInfo ff50_types[] = {
    {
        .name = TYPE_FF50XX_BASE,
        .parent = TYPE_PCI_DEVICE,
        .abstract = true,
        .instance_size = sizeof(FF50State),
        .instance_init = ff50_instance_init,
        .instance_finalize = ff50_instance_finalize,
        .class_size = sizeof(FF50Class),
        .class_init = ff50_base_class_init,
        .interfaces = (InterfaceInfo[]) {
            { INTERFACE_PCIE_DEVICE },
            { }
        },
    },
    {
        .name = "ff5025",
        .parent = TYPE_FF50XX_BASE,
        .class_init = ff5025_class_init,
    },
    {
        .name = "ff5040",
        .parent = TYPE_FF50XX_BASE,
        .class_init = ff5040_class_init,
    },
    {
        .name = "ff5010",
        .parent = TYPE_FF50XX_BASE,
        .class_init = ff5010_class_init,
    },
};

DEFINE_TYPES(ff50_types)
