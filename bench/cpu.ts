/**
 * Reads CPU time of processes in microseconds, and listening sockets, from Linux's /proc; the time is 0 on other
 * systems. The kernel counts in hundredths of a second, so only sums over seconds are meaningful.
 */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

const microsPerTick = 10_000

interface ProcessTimes {
  readonly parent: number
  readonly own: number
  /** CPU time of children that have exited and were waited for. */
  readonly ended: number
}

function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses can contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = (from: number): number => Number(fields[from]) + Number(fields[from + 1])
    return { parent: Number(fields[1]), own: ticks(11) * microsPerTick, ended: ticks(13) * microsPerTick }
  } catch {
    return undefined
  }
}

export function cpuOfProcess(pid: number): number {
  return readTimes(pid)?.own ?? 0
}

/** Returns the CPU time of a process with its running and exited children, as for a PostgreSQL server. */
export function cpuOfFamily(pid: number): number {
  const head = readTimes(pid)
  if (head === undefined) return 0
  let sum = head.own + head.ended
  for (const child of allPids()) {
    const times = readTimes(child)
    if (times?.parent === pid) sum += times.own
  }
  return sum
}

/** Returns the busy time of all cores and processes of the machine. */
export function cpuOfMachine(): number {
  try {
    const line = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0]!
    const [user, nice, system, , , irq, softirq] = line.trim().split(/\s+/).slice(1).map(Number)
    return (user! + nice! + system! + irq! + softirq!) * microsPerTick
  } catch {
    return 0
  }
}

/** Returns the process that listens on a TCP port of this machine, if it can be inspected. */
export function findListener(port: number): number | undefined {
  const sockets = new Set([
    ...listeningSockets('/proc/net/tcp', port),
    ...listeningSockets('/proc/net/tcp6', port),
  ])
  if (sockets.size === 0) return undefined
  return allPids().find((pid) => listSockets(pid).some((socket) => sockets.has(socket)))
}

function listeningSockets(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  try {
    return readFileSync(table, 'latin1')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[1]?.endsWith(suffix) === true && fields[3] === '0A')
      .map((fields) => `socket:[${fields[9] ?? ''}]`)
  } catch {
    return []
  }
}

function listSockets(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((entry) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${entry}`)]
      } catch {
        return [] // closed in the meantime
      }
    })
  } catch {
    return [] // no permission, or the process has exited
  }
}

/**
 * Returns process ids in ascending order, usually by age, so that a server comes before children that share
 * its socket.
 */
function allPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((left, right) => left - right)
  } catch {
    return []
  }
}
