/** Whether a checkout may use the installed packages of another one. Pure. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
}

/** Every package that `lock` needs in production has the same version, at the same place, in `other`. */
export function sharesPackages(lock: Lock, other: Lock): boolean {
  return Object.entries(lock.packages).every(
    ([path, { version, dev, optional }]) =>
      !path.startsWith('node_modules/') ||
      dev === true ||
      optional === true ||
      other.packages[path]?.version === version,
  )
}
