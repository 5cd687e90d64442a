/** Reads resident memory and open file descriptors of processes from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Sample {
  readonly minute: number
  readonly residentKb: number
  readonly descriptors: number
}

export function readProcess(pid: number): Omit<Sample, 'minute'> | undefined {
  try {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return { residentKb: Number(resident![1]), descriptors: readdirSync(`/proc/${pid}/fd`).length }
  } catch {
    return undefined
  }
}
