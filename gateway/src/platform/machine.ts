/**
 * The machine, its boot and its namespace of process ids: a process in the same ones can tell for certain that another has
 * ended. Null where the system does not say, as outside of Linux.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export const machine = readMachine()

function readMachine(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return [hostname(), boot, readlinkSync('/proc/self/ns/pid')].join(' ')
  } catch {
    return null
  }
}

/** Of a process of this machine. False when its id is in use, also by another process. */
export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
