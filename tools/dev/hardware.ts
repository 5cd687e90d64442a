/** Hardware of a measurement; every published figure states it. */
import { cpus, totalmem, type, release } from 'node:os'

export interface Hardware {
  readonly cores: number
  readonly cpu: string
  readonly memoryGb: number
  readonly system: string
  readonly node: string
}

export function readHardware(): Hardware {
  const cores = cpus()
  return {
    cores: cores.length,
    cpu: cores[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  }
}

export function describeHardware(hardware: Hardware): string {
  const { cores, cpu, memoryGb, system, node } = hardware
  return `${cores} cores of ${cpu}, ${memoryGb} GB, ${system}, node ${node}; everything on this one machine`
}
