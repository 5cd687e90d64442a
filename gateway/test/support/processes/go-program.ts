/** Builds a Go program on first use and keeps it next to the services. */
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { servicesDirectory } from '../../../../tools/engines/paths.ts'

/** Returns the path of the program. `path` is the import path of the command. */
export function goProgram(name: string, path: string, version: string): string {
  const folder = join(servicesDirectory(), 'bin')
  const program = join(folder, `${name}-${version}`)
  if (existsSync(program)) return program
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error(`building ${name} requires Go; install golang or use go.dev/dl`)
  }
  process.stderr.write(`building ${name} with Go, once; this may take minutes\n`)
  const target = join(folder, `building-${process.pid}`)
  const built = spawnSync('go', ['install', `${path}@${version}`], {
    encoding: 'utf8',
    env: { ...process.env, GOBIN: target },
  })
  if (built.status !== 0) throw new Error(`cannot build ${name}:\n${built.stderr.slice(-2_000)}`)
  // Renamed when it is complete: a killed run leaves no partial program behind.
  renameSync(join(target, basename(path)), program)
  rmSync(target, { recursive: true })
  return program
}
