/**
 * Parses both Compose files with Compose's own parser: unknown keys, undefined services and volumes, and
 * unset variables are faults.
 */
import { runInToolsRoot } from '../engines/tools-root.ts'

/** Values in the form of docs/operations/compose.md. */
const settings = {
  DATABASE_PASSWORD: 'a'.repeat(32),
  DATABASE_API_PASSWORD: 'f'.repeat(32),
  DATABASE_WORKER_PASSWORD: '1'.repeat(32),
  DATABASE_CLI_PASSWORD: '2'.repeat(32),
  DATABASE_ADMIN_PASSWORD: '4'.repeat(32),
  BROKER_PASSWORD: 'b'.repeat(32),
  VALKEY_PASSWORD: '3'.repeat(32),
  BROKER_COOKIE: 'c'.repeat(32),
  POSTERN_TOKEN_SECRET: 'd'.repeat(64),
  MASTER_KEY: 'e'.repeat(64),
}
const production = ['--file', 'compose.yaml', '--file', 'compose.production.yaml']
/** Services that run only if their profile is named. */
const optional: Readonly<Record<string, string>> = {
  admin: 'console',
  smpp: 'smpp-server',
  command: 'postern',
}

export interface ComposeService {
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly deploy?: { readonly replicas?: number }
}

/**
 * Returns the services of the profile `dev` of compose.yaml, with every anchor and variable resolved by
 * Compose.
 */
export function composeServices(): Readonly<Record<string, ComposeService>> {
  return servicesOf(['--profile', 'dev'])
}

function servicesOf(options: readonly string[]): Readonly<Record<string, ComposeService>> {
  const config = parse(...options, 'config', '--format', 'json')
  return (JSON.parse(config) as { services: Record<string, ComposeService> }).services
}

export function checkCompose(): string {
  const services = [[], ['--profile', 'dev'], production].map(namesOf)
  for (const [profile, service] of Object.entries(optional)) mustAdd(profile, service)
  mustRefuse('a missing password', { ...settings, DATABASE_PASSWORD: '' })
  return `${services.map((names) => `${names.length} services`).join(', ')}; profiles ${Object.keys(optional).join(', ')}`
}

function namesOf(options: readonly string[]): readonly string[] {
  return parse(...options, 'config', '--services')
    .trim()
    .split('\n')
}

/** Checks that a profile adds only its service, in production with every node of the broker. */
function mustAdd(profile: string, service: string): void {
  for (const files of [[], production]) {
    const without = namesOf(files)
    const added = namesOf([...files, '--profile', profile]).filter((name) => !without.includes(name))
    if (added.join() !== service) throw new Error(`profile ${profile} adds ${added.join() || 'nothing'}`)
  }
  const { environment } = servicesOf([...production, '--profile', profile])[service]!
  const nodes = environment?.POSTERN_BROKER_URLS?.split(',').length
  if (nodes !== 3) throw new Error(`${service}: expected 3 broker nodes in production, got ${nodes}`)
}

function parse(...args: readonly string[]): string {
  return runInToolsRoot(
    ['compose.yaml', 'compose.production.yaml'],
    ['docker-compose', '--project-directory', '/work', ...args],
    settings,
  )
}

function mustRefuse(what: string, environment: NodeJS.ProcessEnv): void {
  let refused = false
  try {
    runInToolsRoot(
      ['compose.yaml'],
      ['docker-compose', '--project-directory', '/work', 'config', '--quiet'],
      environment,
    )
  } catch {
    refused = true
  }
  if (!refused) throw new Error(`${what} is not rejected`)
}
