/** The values of options by their paths. Pure. */
import type { Options } from './secrets.ts'

/** Values by path; a list is one value, and so is an empty object. */
export function leaves(value: Options, at: string): [string, unknown][] {
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    const isGroup = isObject && Object.keys(inner).length > 0
    return isGroup ? leaves(inner as Options, `${at}${name}.`) : [[`${at}${name}`, inner]]
  })
}
