// SPDX-License-Identifier: GPL-2.0-only
/*
 * hwmon: the chip's temperature (reference 06 section 6, the layout of the
 * Amber-Lite chips). Both ports of a card show the one sensor.
 *
 * Only where the hwmon core is part of the kernel: were it a module, this one
 * could not be loaded by plain insmod before it.
 */
#include <linux/bitfield.h>
#include <linux/err.h>
#include <linux/hwmon.h>

#include "hw/regs.h"
#include "txgbe/dev.h"
#include "txgbe/hw.h"
#include "txgbe/hwmon.h"
#include "txgbe/mmio.h"

#if IS_BUILTIN(CONFIG_HWMON)

/* What every driver of this chip programs where the register says nothing. */
#define TXGBE_HWMON_CRIT_MC		100000
#define TXGBE_HWMON_CRIT_HYST_MC	90000

/* Millidegrees Celsius of a sensor code, 0..4095. */
static long txgbe_hwmon_code_to_mc(u32 code)
{
	/* (419400 + 2205 * (code * 1000 / 4094 - 500)) / 10000 degrees */
	return (41940000L - 2205L * 50000 + 2205L * 100000 / 4094 * code +
		2205L * 100000 % 4094 * code / 4094) / 1000;
}

static int txgbe_hwmon_read_input(struct txgbe_dev *fd, long *val)
{
	u32 sts = txgbe_rd32(fd, TXGBE_TS_STS);

	if (!txgbe_present(fd))
		return -ENODEV;
	if (!(sts & TXGBE_TS_STS_VALID)) {
		/* Others may have reset the chip: the next one who asks gets a value. */
		txgbe_hw_start_sensor(fd);
		return -ENODATA;
	}
	*val = txgbe_hwmon_code_to_mc(FIELD_GET(TXGBE_TS_STS_CODE, sts));
	return 0;
}

/* A threshold that is not programmed reads 0. */
static long txgbe_hwmon_limit(struct txgbe_dev *fd, u32 field_code, long dflt)
{
	return field_code ? txgbe_hwmon_code_to_mc(field_code) : dflt;
}

static int txgbe_hwmon_read_crit(struct txgbe_dev *fd, long *val)
{
	u32 ctl = txgbe_rd32(fd, TXGBE_TS_CTL1);

	if (!txgbe_present(fd))
		return -ENODEV;
	*val = txgbe_hwmon_limit(fd, FIELD_GET(TXGBE_TS_CTL1_ALARM, ctl),
				 TXGBE_HWMON_CRIT_MC);
	return 0;
}

static int txgbe_hwmon_read_hyst(struct txgbe_dev *fd, long *val)
{
	u32 ctl = txgbe_rd32(fd, TXGBE_TS_CTL1);

	if (!txgbe_present(fd))
		return -ENODEV;
	*val = txgbe_hwmon_limit(fd, FIELD_GET(TXGBE_TS_CTL1_RELEASE, ctl),
				 TXGBE_HWMON_CRIT_HYST_MC);
	return 0;
}

/* Once raised it stays until the temperature has fallen below the lower limit. */
static int txgbe_hwmon_read_alarm(struct txgbe_dev *fd, long *val)
{
	long now, crit, hyst;
	int err;

	err = txgbe_hwmon_read_input(fd, &now);
	if (err)
		return err;
	err = txgbe_hwmon_read_crit(fd, &crit);
	if (err)
		return err;
	err = txgbe_hwmon_read_hyst(fd, &hyst);
	if (err)
		return err;
	if (now >= crit)
		WRITE_ONCE(fd->too_hot, true);
	else if (now < hyst)
		WRITE_ONCE(fd->too_hot, false);
	*val = READ_ONCE(fd->too_hot);
	return 0;
}

static int txgbe_hwmon_read(struct device *dev, enum hwmon_sensor_types type, u32 attr,
			    int channel, long *val)
{
	struct txgbe_dev *fd = dev_get_drvdata(dev);

	switch (attr) {
	case hwmon_temp_input:
		return txgbe_hwmon_read_input(fd, val);
	case hwmon_temp_crit:
		return txgbe_hwmon_read_crit(fd, val);
	case hwmon_temp_crit_hyst:
		return txgbe_hwmon_read_hyst(fd, val);
	case hwmon_temp_crit_alarm:
		return txgbe_hwmon_read_alarm(fd, val);
	default:
		return -EOPNOTSUPP;
	}
}

static umode_t txgbe_hwmon_is_visible(const void *data, enum hwmon_sensor_types type, u32 attr,
				      int channel)
{
	return 0444;
}

/* Not const itself: kernels before 6.4 want it writable. */
static const struct hwmon_channel_info *txgbe_hwmon_info[] = {
	HWMON_CHANNEL_INFO(temp, HWMON_T_INPUT | HWMON_T_CRIT | HWMON_T_CRIT_HYST |
				 HWMON_T_CRIT_ALARM),
	NULL
};

static const struct hwmon_ops txgbe_hwmon_ops = {
	.is_visible = txgbe_hwmon_is_visible,
	.read = txgbe_hwmon_read,
};

static const struct hwmon_chip_info txgbe_hwmon_chip = {
	.ops = &txgbe_hwmon_ops,
	.info = txgbe_hwmon_info,
};

/**
 * txgbe_hwmon_register() - show the temperature
 * @fd: device
 *
 * A failure is logged and costs nothing but the temperature.
 *
 * Context: Process context, from probe.
 */
void txgbe_hwmon_register(struct txgbe_dev *fd)
{
	struct device *hwmon;

	hwmon = hwmon_device_register_with_info(fd->dev, "txgbe", fd, &txgbe_hwmon_chip, NULL);
	if (IS_ERR(hwmon)) {
		dev_warn(fd->dev, "no hwmon device: %ld\n", PTR_ERR(hwmon));
		return;
	}
	fd->hwmon = hwmon;
}

/**
 * txgbe_hwmon_unregister() - the reverse, also of a registration that failed
 * @fd: device, perhaps gone
 *
 * Context: Process context, from remove; waits for readers.
 */
void txgbe_hwmon_unregister(struct txgbe_dev *fd)
{
	if (fd->hwmon)
		hwmon_device_unregister(fd->hwmon);
	fd->hwmon = NULL;
}

#endif /* CONFIG_HWMON=y */
