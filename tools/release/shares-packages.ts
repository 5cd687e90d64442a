export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
}

/**
 * Reports whether `other` has every package that `lock` needs in production, in the same version at the same
 * path.
 */
export function sharesPackages(lock: Lock, other: Lock): boolean {
  return Object.entries(lock.packages).every(
    ([path, { version, dev, optional }]) =>
      !path.startsWith('node_modules/') ||
      dev === true ||
      optional === true ||
      other.packages[path]?.version === version,
  )
}
