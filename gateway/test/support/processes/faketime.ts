/**
 * Environment variables that set or move the wall clock of a process; its monotonic clock stays right. Needs
 * Debian's package `faketime`.
 */
import { globSync } from 'node:fs'
import { inEngineRoot } from '../../../../tools/engines/engine-root.ts'
import type { Environment } from './postern-command.ts'

/** `offset` is in the format of libfaketime: `+10m`, `-10m`, `+31d`. */
export function wrongClock(offset: string): Environment {
  return { ...preload(), FAKETIME: offset }
}

/** Like `wrongClock`, for an engine in the root of its release (see `engine-root.ts`). */
export function wrongEngineClock(offset: string): Environment {
  return { ...preload(inEngineRoot('')), FAKETIME: offset }
}

/** The file contains the offset; changes take effect within a second. */
export function clockFromFile(file: string): Environment {
  return { ...preload(), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' }
}

/**
 * Like `clockFromFile`, for an engine in the root of its release. It reads the file at each access to the clock,
 * because its backends must always agree.
 */
export function engineClockFromFile(file: string): Environment {
  return { ...preload(inEngineRoot('')), FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' }
}

function preload(root = ''): Environment {
  const [library] = globSync(`${root}/usr/lib/*/faketime/libfaketimeMT.so.1`)
  if (library === undefined)
    throw new Error(
      root === ''
        ? 'libfaketime not found; run `npm run engines -- install --tests`, or install the package faketime'
        : `libfaketime not found in ${root}; stop the engines and delete this folder, which the next start creates again`,
    )
  return { LD_PRELOAD: library.slice(root.length), FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
