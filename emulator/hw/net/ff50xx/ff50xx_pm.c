/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Power states and wake-up (hardware/06 section 7).
 *
 * The filters of PSR_WKUP_CTL look at what the MAC receives; a match while
 * the function sleeps sets PME_Status and, with PME_En, wakes the machine.
 * What firmware honours on silicon is unknown.
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qapi/error.h"
#include "hw/pci/msi.h"
#include "hw/pci/pci_bridge.h"
#include "hw/pci/pci_bus.h"
#include "hw/pci/pcie.h"
#include "net/eth.h"
#include "system/runstate.h"
#include "ff50xx_int.h"

#define WKUP_LINK       (1u << 0)
#define WKUP_MAGIC      (1u << 1)
#define WKUP_UCAST      (1u << 2)
#define WKUP_MCAST      (1u << 3)
#define WKUP_BCAST      (1u << 4)
#define WKUP_ARP        (1u << 5)
#define WKUP_IP4        (1u << 6)
#define WKUP_IP6        (1u << 7)
#define WKUP_IPV_IP4    0xFu                    /* valid entries of IP4TBL */
#define WKUP_IPV_IP6(i) (1u << (16 + (i)))
#define MAGIC_LEN       (6 + 16 * ETH_ALEN)

static uint16_t pm_ctrl(const FF50State *s)
{
    return pci_get_word(s->parent_obj.config + s->parent_obj.pm_cap +
                        PCI_PM_CTRL);
}

bool ff50_pm_asleep(const FF50State *s)
{
    return s->parent_obj.pm_cap && (pm_ctrl(s) & PCI_PM_CTRL_STATE_MASK);
}

/* The root port above, if it is one that can be told of a PME. */
static PCIDevice *pm_root_port(FF50State *s)
{
    PCIDevice *rp = pci_bridge_get_device(pci_get_bus(&s->parent_obj));

    return rp && rp->exp.exp_cap &&
           pcie_cap_get_type(rp) == PCI_EXP_TYPE_ROOT_PORT ? rp : NULL;
}

/* QEMU's root ports know nothing of PME: let the guest enable and clear it. */
void ff50_pm_init(FF50State *s)
{
    PCIDevice *rp = pm_root_port(s);

    if (rp) {
        pci_word_test_and_set_mask(rp->wmask + rp->exp.exp_cap + PCI_EXP_RTCTL,
                                   PCI_EXP_RTCTL_PMEIE);
        pci_long_test_and_set_mask(rp->w1cmask + rp->exp.exp_cap +
                                   PCI_EXP_RTSTA, PCI_EXP_RTSTA_PME);
    }
}

static void pm_tell_root_port(FF50State *s)
{
    PCIDevice *rp = pm_root_port(s);
    uint8_t *cap;
    uint32_t sta;

    if (!rp) {
        return;
    }
    cap = rp->config + rp->exp.exp_cap;
    sta = pci_get_long(cap + PCI_EXP_RTSTA);
    if (!(sta & PCI_EXP_RTSTA_PME)) {
        pci_set_long(cap + PCI_EXP_RTSTA, PCI_EXP_RTSTA_PME |
                     pci_requester_id(&s->parent_obj));
    }
    if ((pci_get_word(cap + PCI_EXP_RTCTL) & PCI_EXP_RTCTL_PMEIE) &&
        msi_enabled(rp)) {
        msi_notify(rp, pcie_cap_flags_get_vector(rp));
    }
}

static void pm_wake(FF50State *s)
{
    uint8_t *ctrl = s->parent_obj.config + s->parent_obj.pm_cap + PCI_PM_CTRL;
    Error *err = NULL;

    s->cnt.wake++;
    if (!ff50_pm_asleep(s)) {
        return;
    }
    pci_word_test_and_set_mask(ctrl, PCI_PM_CTRL_PME_STATUS);
    if (!(pm_ctrl(s) & PCI_PM_CTRL_PME_ENABLE)) {
        return;
    }
    s->cnt.pme++;
    pm_tell_root_port(s);
    qemu_system_wakeup_request(QEMU_WAKEUP_REASON_OTHER, &err);
    error_free(err);            /* the machine itself may be awake */
}

/* Six times ff and sixteen times our address, anywhere in the frame. */
static bool pm_is_magic(const FF50State *s, const uint8_t *p, uint32_t len)
{
    uint8_t mac[ETH_ALEN];

    stw_be_p(mac, s->rar[0][1] & 0xFFFF);
    stl_be_p(mac + 2, s->rar[0][0]);
    for (uint32_t at = ETH_HLEN; at + MAGIC_LEN <= len; at++) {
        unsigned n = 0;

        while (n < 6 && p[at + n] == 0xFF) {
            n++;
        }
        if (n < 6) {
            at += n;
            continue;
        }
        for (n = 0; n < 16 && !memcmp(p + at + 6 + ETH_ALEN * n, mac,
                                      ETH_ALEN); n++) {
        }
        if (n == 16) {
            return true;
        }
    }
    return false;
}

static bool pm_ip_match(const FF50State *s, const uint8_t *p, uint32_t len,
                        uint32_t filters)
{
    uint32_t ipv = ff50_rd(s, PSR_WKUP_IPV);
    uint16_t type = lduw_be_p(p + 12);
    bool arp = type == ETH_P_ARP && len >= 42 && lduw_be_p(p + 20) == 1;

    if (((filters & WKUP_ARP) && arp) ||
        ((filters & WKUP_IP4) && type == ETH_P_IP && len >= 34)) {
        uint32_t da = ldl_be_p(p + (arp ? 38 : 30));

        for (unsigned i = 0; i < 4; i++) {
            if ((ipv & WKUP_IPV_IP4 & (1u << i)) &&
                ff50_rd(s, PSR_WKUP_IP4TBL(i)) == da) {
                return true;
            }
        }
    }
    if ((filters & WKUP_IP6) && type == ETH_P_IPV6 && len >= 54 &&
        (ipv & WKUP_IPV_IP6(0))) {
        for (unsigned i = 0; i < 4; i++) {
            if (ff50_rd(s, PSR_WKUP_IP6TBL(i)) !=
                (uint32_t)ldl_be_p(p + 38 + 4 * i)) {
                return false;
            }
        }
        return true;
    }
    return false;
}

/**
 * ff50_pm_frame() - does a received frame wake the machine?
 * @s: port
 * @p: frame that the MAC has received without error, and the packet buffer
 * @len: bytes
 */
void ff50_pm_frame(FF50State *s, const uint8_t *p, uint32_t len)
{
    uint32_t f = ff50_rd(s, PSR_WKUP_CTL);
    bool mine;

    if (!(f & 0xFE) || len < ETH_HLEN ||
        !(ff50_rd(s, RDB_PB_CTL) & RDB_PB_CTL_RXEN) ||
        ff50_rx_too_long(s, len)) {
        return;
    }
    mine = lduw_be_p(p) == (s->rar[0][1] & 0xFFFF) &&
           (uint32_t)ldl_be_p(p + 2) == s->rar[0][0];
    if (((f & WKUP_MAGIC) && pm_is_magic(s, p, len)) ||
        ((f & WKUP_UCAST) && mine) ||
        ((f & WKUP_BCAST) && is_broadcast_ether_addr(p)) ||
        ((f & WKUP_MCAST) && is_multicast_ether_addr(p) &&
         !is_broadcast_ether_addr(p)) ||
        pm_ip_match(s, p, len, f)) {
        pm_wake(s);
    }
}

void ff50_pm_link_changed(FF50State *s)
{
    if (ff50_rd(s, PSR_WKUP_CTL) & WKUP_LINK) {
        pm_wake(s);
    }
}
