/**
 * The environment of a process whose host's clock is wrong or is moved while it runs; its monotonic clock is right. Needs
 * Debian's package `faketime`.
 */
import { globSync } from 'node:fs'
import type { Environment } from './postern-command.ts'

/** `offset` as libfaketime reads it: `+10m`, `-10m`, `+31d`. */
export function wrongClock(offset: string): Environment {
  return { ...preload(), FAKETIME: offset }
}

/** The file holds the offset. A change of it is seen within a second, or `atOnce`, for a file read at each look at the clock. */
export function clockFromFile(file: string, { atOnce }: { readonly atOnce: boolean }): Environment {
  const reading = atOnce ? { FAKETIME_NO_CACHE: '1' } : { FAKETIME_CACHE_DURATION: '1' }
  return { ...preload(), FAKETIME_TIMESTAMP_FILE: file, ...reading }
}

function preload(): Environment {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined)
    throw new Error(
      'libfaketime is missing: run `npm run services -- install --tests`, or install the package faketime',
    )
  return { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
