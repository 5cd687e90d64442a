/** Describes when and on which hardware a run was measured, as the last sentence of its page. The README of the evidence names the CPU. */
import { loadavg } from 'node:os'
import { readHardware } from '../../../../tools/dev/hardware.ts'

export function describeMeasurement(): string {
  const load = loadavg().map((value) => value.toFixed(1))
  const { cores, memoryGb } = readHardware()
  return `${new Date().toISOString().slice(0, 10)}, ${cores} cores, ${memoryGb} GB, load average ${load.join(', ')}.`
}
