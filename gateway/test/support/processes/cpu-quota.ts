/**
 * Holds processes to a quota of CPU time with a control group each, as a container does. Supports both versions of
 * cgroups and requires root.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = '/sys/fs/cgroup'
const version1 = join(root, 'cpu')
const isVersion1 = existsSync(join(version1, 'cpu.cfs_quota_us'))
/** The folder of the groups that limit CPU time. */
const folder = isVersion1 ? version1 : root
/** The kernel's default. A process that has used its quota waits until the period ends. */
const periodUs = 100_000
/** The kernel allows no less. */
const minQuotaUs = 1_000

/** Returns why this machine cannot hold processes to a quota; undefined if it can. */
export function findReasonForNoQuota(): string | undefined {
  try {
    openGroup(`postern-probe-${process.pid}`, 1).close()
    return undefined
  } catch (error) {
    return `cannot limit CPU time with a control group: ${(error as Error).message}`
  }
}

/** Holds a process to a fraction of a core; returns a function that lifts the quota. */
export function holdToQuota(pid: number, cores: number): () => void {
  const before = join(folder, findGroup(pid))
  const group = openGroup(`postern-${process.pid}-${pid}`, cores)
  group.add(pid)
  return () => {
    // An exited process has left its group.
    if (existsSync(`/proc/${pid}`)) writeFileSync(join(before, 'cgroup.procs'), String(pid))
    group.close()
  }
}

interface Group {
  add(pid: number): void
  close(): void
}

function openGroup(name: string, cores: number): Group {
  // Version 2 limits CPU time only in groups whose parent passes this on.
  if (!isVersion1) writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu')
  const group = join(folder, name)
  mkdirSync(group)
  const close = (): void => rmdirSync(group)
  try {
    const quotaUs = Math.max(minQuotaUs, Math.round(cores * periodUs))
    if (isVersion1) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs))
    } else writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${periodUs}`)
  } catch (error) {
    close()
    throw error
  }
  return { add: (pid) => writeFileSync(join(group, 'cgroup.procs'), String(pid)), close }
}

/** Returns the path of the group of a process below the folder of groups. */
function findGroup(pid: number): string {
  // Lines are id:controllers:path; version 2 names no controllers.
  const line = readFileSync(`/proc/${pid}/cgroup`, 'latin1')
    .split('\n')
    .find((text) => (isVersion1 ? /^\d+:(\w+,)*cpu(,\w+)*:/.test(text) : text.startsWith('0::')))
  if (line === undefined) throw new Error(`the process ${pid} has no control group for CPU time`)
  return line.slice(line.indexOf(':', line.indexOf(':') + 1) + 1)
}
