/** Both Compose files by Compose's own parser: unknown keys, undefined services and volumes, and variables that nobody sets are faults. */
import { runInToolsRoot } from './tools-root.ts'

/** Values of the form that docs/install.md gives them. */
const settings = {
  DATABASE_PASSWORD: 'a'.repeat(32),
  BROKER_PASSWORD: 'b'.repeat(32),
  BROKER_COOKIE: 'c'.repeat(32),
  POSTERN_TOKEN_SECRET: 'd'.repeat(64),
  MASTER_KEY: 'e'.repeat(64),
}
const production = ['--file', 'compose.yaml', '--file', 'compose.production.yaml']

export interface ComposeService {
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly deploy?: { readonly replicas?: number }
}

/** The services of the profile `dev` of compose.yaml, with every anchor and variable resolved by Compose. */
export function composeServices(): Readonly<Record<string, ComposeService>> {
  const config = parse('--profile', 'dev', 'config', '--format', 'json')
  return (JSON.parse(config) as { services: Record<string, ComposeService> }).services
}

export function checkCompose(): string {
  const services = [[], ['--profile', 'dev'], production].map((options) =>
    parse(...options, 'config', '--services'),
  )
  mustRefuse('a missing password', { ...settings, DATABASE_PASSWORD: '' })
  return services.map((names) => `${names.trim().split('\n').length} services`).join(', ')
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
  if (!refused) throw new Error(`${what} is not refused`)
}
