/**
 * The environment of a process whose host's clock is wrong or is moved while it runs; its monotonic clock is right. Needs
 * Debian's package `faketime`.
 */
import { globSync } from 'node:fs'
import { inEngineRoot } from '../../../../scripts/services/engine-root.ts'
import type { Environment } from './postern-command.ts'

/** `offset` as libfaketime reads it: `+10m`, `-10m`, `+31d`. */
export function wrongClock(offset: string): Environment {
  return { ...preload(), FAKETIME: offset }
}

/** For an engine, in the root of its release. */
export function wrongEngineClock(offset: string): Environment {
  return { ...preload(inEngineRoot('')), FAKETIME: offset }
}

/** The file holds the offset. A change of it is seen within a second. */
export function clockFromFile(file: string): Environment {
  return { ...preload(), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' }
}

/** For an engine, in the root of its release: it reads the file at each look at the clock, because its backends must agree at any moment. */
export function engineClockFromFile(file: string): Environment {
  return { ...preload(inEngineRoot('')), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' }
}

function preload(root = ''): Environment {
  const [library] = globSync(`${root}/usr/lib/*/faketime/libfaketimeMT.so.1`)
  if (library === undefined)
    throw new Error(
      root === ''
        ? 'libfaketime is missing: run `npm run services -- install --tests`, or install the package faketime'
        : `libfaketime is missing in ${root}: stop the engines and delete this folder, the next start makes it again`,
    )
  return { LD_PRELOAD: library.slice(root.length), FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
