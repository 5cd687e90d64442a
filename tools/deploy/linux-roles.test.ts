/** postern@.service can run every role of the gateway on one machine. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { projectRoot } from '../engines/paths.ts'

const linux = join(projectRoot, 'deploy/linux')
const read = (file: string): string => readFileSync(join(linux, file), 'utf8')

/**
 * Returns the command that run-role starts for an instance, with `program` in place of the Node of the
 * package.
 */
function runRole(instance: string, program: string, settings: Record<string, string> = {}): string {
  const script = read('run-role').replace('/usr/lib/postern/node', program)
  const env = { PATH: process.env.PATH, ...settings }
  return execFileSync('sh', ['-s', instance], { input: script, encoding: 'utf8', env }).trim()
}

const commandOf = (instance: string): string => runRole(instance, 'echo')

/** Returns the settings of an instance after postern.env and its own file were applied. */
function settingsOf(
  instance: string,
  common: Record<string, string> = {},
): Record<string, string | undefined> {
  const own = existsSync(join(linux, `${instance}.env`)) ? parseEnv(read(`${instance}.env`)) : {}
  return parseEnv(runRole(instance, 'env #', { ...common, ...(own as Record<string, string>) }))
}

test('an instance runs the role that prefixes its name', () => {
  const roles = {
    api: 'api',
    'api-2': 'api',
    worker: 'worker',
    'worker-2': 'worker',
    'worker-12': 'worker',
    'worker-blue': 'worker',
    'worker-blue-2': 'worker',
    all: 'all',
    admin: 'admin',
    'admin-2': 'admin',
    'smpp-server': 'smpp-server',
    'smpp-server-2': 'smpp-server',
    'smpp-server-blue': 'smpp-server',
  }
  for (const [instance, role] of Object.entries(roles))
    assert.equal(commandOf(instance), `/usr/lib/postern/gateway/dist/main.js ${role}`, instance)
})

test('the program rejects a name that is no role', () => {
  for (const instance of ['workers', 'smpp', '2'])
    assert.equal(commandOf(instance), `/usr/lib/postern/gateway/dist/main.js ${instance}`)
})

test('each role has its own port for /readyz and an installed settings file', () => {
  const ports = ['worker', 'admin', 'smpp-server'].map((role) => {
    assert.match(
      read('nfpm.yaml'),
      new RegExp(`dst: /etc/postern/${role}\\.env,\\s+type: config\\|noreplace`),
    )
    return settingsOf(role).POSTERN_OPS_PORT
  })
  // The API uses the default port.
  assert.deepEqual([settingsOf('api').POSTERN_OPS_PORT, ...ports], [undefined, '9091', '9092', '9093'])
})

test('roles without a default port get one', () => {
  assert.equal(settingsOf('admin').POSTERN_ADMIN_PORT, '8090')
  assert.equal(settingsOf('smpp-server').POSTERN_SMPP_SERVER_PORT, '2775')
  assert.equal(settingsOf('all').POSTERN_ADMIN_PORT, undefined)
})

test('ports in postern.env are kept', () => {
  const common = { POSTERN_OPS_PORT: '7000', POSTERN_ADMIN_PORT: '7001', POSTERN_SMPP_SERVER_PORT: '7002' }
  for (const role of ['admin', 'smpp-server'])
    for (const [name, port] of Object.entries(common)) assert.equal(settingsOf(role, common)[name], port)
})
