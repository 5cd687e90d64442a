/** Detects whether another process of this machine has ended. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Identifies the machine, its boot and its process ID namespace; null if it cannot be read, for example
 * outside Linux.
 */
export const machine = readMachine()

function readMachine(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return [hostname(), boot, readlinkSync('/proc/self/ns/pid')].join(' ')
  } catch {
    return null
  }
}

/**
 * Reports whether a process of this machine has exited. Returns false if another process has reused its ID.
 */
export function hasProcessExited(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
