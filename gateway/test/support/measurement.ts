/** When and where a run was measured, as the last sentence of its page. */
import { loadavg } from 'node:os'
import { describeHardware, readHardware } from '../../../scripts/hardware.ts'

export function describeMeasurement(): string {
  const load = loadavg().map((value) => value.toFixed(1))
  return `Measured on ${new Date().toISOString().slice(0, 10)} with ${describeHardware(readHardware())}. Load average at the end:
${load.join(', ')}.`
}
