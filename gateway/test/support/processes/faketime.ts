/** The environment of a process whose host's clock is wrong; its monotonic clock is right. Needs Debian's package `faketime`. */
import { globSync } from 'node:fs'
import type { Environment } from './postern-command.ts'

/** `offset` as libfaketime reads it: `+10m`, `-10m`, `+31d`. */
export function wrongClock(offset: string): Environment {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined)
    throw new Error(
      'libfaketime is missing: run `npm run services -- install --tests`, or install the package faketime',
    )
  return { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
