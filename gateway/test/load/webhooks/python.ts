/**
 * Verifies signatures with the published Python library, independently of the code that signs. Installs it
 * with pip if it is missing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { servicesDirectory } from '../../../../tools/engines/paths.ts'

const version = '1.1.0'

/** Reads one `{secret, body, headers}` per line, and prints the numbers of accepted and rejected ones. */
const program = `
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
accepted = refused = 0
for line in open(sys.argv[1], encoding="utf-8"):
    given = json.loads(line)
    try:
        Webhook(given["secret"]).verify(given["body"], given["headers"])
        accepted += 1
    except WebhookVerificationError:
        refused += 1
print(json.dumps({"accepted": accepted, "refused": refused}))
`

export interface VerificationCounts {
  readonly accepted: number
  readonly refused: number
}

/** Returns the interpreter with the library. */
export function installVerifier(): string {
  const folder = join(servicesDirectory(), `standardwebhooks-${version}`)
  const python = join(folder, 'bin/python')
  if (!existsSync(python)) run('python3', ['-m', 'venv', folder])
  run(python, ['-m', 'pip', 'install', '--quiet', `standardwebhooks==${version}`])
  return python
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`installing the Python verifier failed: ${command} ${args.join(' ')}\n${stderr}`, {
      cause: error,
    })
}

/** The library rejects signatures older than five minutes, so a run must be shorter. */
export async function verifyByPython(python: string, file: string): Promise<VerificationCounts> {
  const child = spawn(python, ['-c', program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout)) as VerificationCounts
}
