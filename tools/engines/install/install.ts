// Installs missing engines: as root Debian packages or the root of a newer Debian, otherwise it fails with the
// commands for the user. With `tests` it also installs third-party programs that tests run.

import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { installDebianPackagesAsRoot } from '../apt.ts'
import { ensureEngineRoot } from '../engine-root.ts'
import { installThirdPartyParsers } from './third-party-parsers.ts'
import { isRoot } from '../paths.ts'
import { hasKoreanLocale, hasLocaleSources, installKoreanLocale } from '../postgres/korean.ts'
import { haproxyProgram, postgresFolder, rabbitmqFolder, redisProgram } from '../programs.ts'
import { debianRoot } from '../releases.ts'

export interface InstallOptions {
  readonly tests?: boolean
  /** Requires a pair of PostgreSQL servers behind one address. */
  readonly standby?: boolean
}

export function missingPackages(options: InstallOptions = {}): string[] {
  return [
    ...(postgresFolder() ? [] : ['postgresql-15']),
    ...(rabbitmqFolder() && existsSync('/usr/bin/erl_call') ? [] : ['rabbitmq-server', 'erlang-base']),
    ...(redisProgram() ? [] : ['redis-server']),
    // The proxy of a PostgreSQL pair, and of cells in tests.
    ...((options.standby || options.tests) && !existsSync(haproxyProgram) ? ['haproxy'] : []),
    // Compiles the Korean locale.
    ...(options.tests && !hasKoreanLocale() && !hasLocaleSources() ? ['locales'] : []),
    // A third-party SMPP implementation, for interoperability tests.
    ...(options.tests && !existsSync('/usr/share/perl5/Net/SMPP.pm') ? ['libnet-smpp-perl'] : []),
    // Runs processes on hosts with wrong clocks.
    ...(options.tests && globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').length === 0 ? ['faketime'] : []),
    // Runs the console in a real browser, with fonts for both languages.
    ...(options.tests && !existsSync('/usr/bin/chromium-headless-shell') ? ['chromium-headless-shell'] : []),
    ...(options.tests && !existsSync('/usr/share/fonts/truetype/nanum') ? ['fonts-nanum'] : []),
    // Client of the first-day suite.
    ...(options.tests && !works('curl', '--version') ? ['curl'] : []),
    ...(options.tests && pythonWithRequests() === undefined ? ['python3-requests'] : []),
    // Third-party parsers need them: Python packages, and SAAJ, which a source file of the tests calls.
    ...(options.tests && !works('python3', '-c', 'import ensurepip, venv') ? ['python3-venv'] : []),
    ...(options.tests && !works('javac', '-version') ? ['default-jdk-headless'] : []),
    // Runs the guides in PHP and Java.
    ...(options.tests && !works('php', '-r', 'curl_init();') ? ['php-cli', 'php-curl'] : []),
    ...(options.tests && !works('mvn', '-version') ? ['maven'] : []),
  ]
}

/** Tries the Python of the system as well, which can differ from the first one in PATH. */
export function pythonWithRequests(): string | undefined {
  return ['python3', '/usr/bin/python3'].find((python) => works(python, '-c', 'import requests'))
}

export function works(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

export async function installMissing(options: InstallOptions = {}): Promise<void> {
  if (debianRoot() !== undefined) return ensureEngineRoot()
  installMissingPackages(options)
  if (!options.tests) return
  installKoreanLocale()
  await installThirdPartyParsers()
}

function installMissingPackages(options: InstallOptions): void {
  const missing = missingPackages(options)
  if (missing.length === 0) return
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `Missing on this machine: ${missing.join(', ')}.\n` +
        `  On Debian 12, as root: apt-get update && ${command}\n` +
        '  Or install Docker with Compose, for npm run dev.\n' +
        '  Or use existing engines: set POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and POSTERN_REDIS_URL.',
    )
  }
  installDebianPackagesAsRoot(missing)
  const still = missingPackages(options)
  if (still.length > 0) throw new Error(`not found after installation: ${still.join(', ')}.`)
}
