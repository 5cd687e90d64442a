/** Returns the environment that compose.yaml sets for each process, for tests with the shipped settings. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Environment } from './environment.ts'
import type { RoleName } from './gateway.ts'
import { projectRoot } from './program.ts'

const services: Readonly<Record<RoleName | 'command', readonly string[]>> = {
  api: ['api'],
  worker: ['worker'],
  admin: ['console'],
  'smpp-server': ['smpp-server'],
  all: ['worker', 'console', 'smpp-server', 'api'],
  command: ['postern'],
}

interface ComposeFile {
  readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, unknown>> }>>
}

const file = parse(readFileSync(join(projectRoot, 'compose.yaml'), 'utf8'), { merge: true }) as ComposeFile
/** The `.env` of this run: variables without a default get a random value. */
const values = new Map<string, string>()

export function composeEnvironment(role: RoleName | 'command'): Environment {
  const given = Object.assign({}, ...services[role].map((name) => file.services[name]!.environment)) as object
  const environment = Object.entries(given).map(([name, value]) => [name, interpolate(String(value))])
  return {
    ...(Object.fromEntries(environment) as Environment),
    // Compose publishes the ports of its containers on loopback.
    POSTERN_ADMIN_HOST: '127.0.0.1',
    POSTERN_SMPP_SERVER_HOST: '127.0.0.1',
  }
}

/** Supports the forms `${NAME}`, `${NAME:?text}` and `${NAME:-default}`. */
function interpolate(text: string): string {
  return text.replaceAll(
    /\$\{(\w+)(?::(?:-([^}]*)|\?[^}]*))?\}/g,
    (_match, name: string, standard?: string) => {
      if (standard !== undefined) return standard
      if (!values.has(name)) values.set(name, randomBytes(32).toString('hex'))
      return values.get(name)!
    },
  )
}
