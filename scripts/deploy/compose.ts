/** Both Compose files by Compose's own parser: unknown keys, undefined services and volumes, and variables that nobody sets are faults. */
import { runInToolsRoot } from './tools-root.ts'

const settings = {
  DATABASE_PASSWORD: 'a',
  BROKER_PASSWORD: 'b',
  BROKER_COOKIE: 'c',
  POSTERN_TOKEN_SECRET: 'd',
  MASTER_KEY: 'e',
}
const production = ['--file', 'compose.yaml', '--file', 'compose.production.yaml']

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
