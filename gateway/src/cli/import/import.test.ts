/**
 * Configurations of Kannel and Jasmin, in the form of their manuals, become commands that this gateway
 * accepts. Settings without a counterpart are listed, and a route whose rule cannot be expressed carries
 * nothing.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import type { Command } from './script.ts'

const kannel = `
# The bearerbox
group = core
admin-port = 13000
admin-password = secret-of-admin

group = smsc
smsc = smpp
smsc-id = "SMSC A"
host = smsc.example.net
port = 2775
transceiver-mode = true
smsc-username = "acme"
smsc-password = "secret-of-a"
system-type = "VMA"
address-range = ""
throughput = 50
max-pending-submits = 20
enquire-link-interval = 60
source-addr-ton = 5
source-addr-npi = 0
allowed-smsc-id = "SMSC A;B"
alt-charset = ISO-8859-1
msg-id-type = 0x01

group = smsc
smsc = smpp
smsc-id = World
host = 192.0.2.1
port = 3550
receive-port = 3551
use-ssl = yes
interface-version = 50
smsc-username = acme2
smsc-password = secret-of-world
allowed-prefix = "+81;0044"
validityperiod = 60

group = smsc
smsc = smpp
smsc-id = rest
host = 192.0.2.2
port = 2775
smsc-username = acme3
smsc-password = secret-of-rest
denied-prefix = "+81"

group = smsc
smsc = http
system-type = kannel

group = smsc
smsc = http
system-type = clickatell

group = sendsms-user
username = shop
password = secret-of-shop
forced-smsc = "SMSC A"

group = sendsms-user
username = "o'brien"
password = secret-of-obrien
user-allow-ip = "10.0.0.1"
`

const jasmin = `
jcli : group -a
> gid marketing
> ok
jcli : user -a
Adding a new User: (ok: save, ko: exit)
> username foo
> password secret-of-foo
> gid marketing
> uid foo
> mt_messaging_cred quota balance 44.2
> mt_messaging_cred quota http_throughput 20
> ok
Successfully added User [foo] to Group [marketing]
jcli : smppccm -a
Adding a new connector: (ok: save, ko: exit)
> cid Demo
> host 10.10.1.2
> username demo
> password secret-of-demo
> submit_throughput 110
> ok
jcli : smppccm -s Backup
con_fail_delay 10
submit_throughput 1
elink_interval 10
port 2776
password secret-of-backup
src_addr None
dst_ton 1
username smppclient
host 127.0.0.1
src_npi 1
systype
cid Backup
bind transmitter
src_ton 2
jcli : smppccm -a
> cid Mistake
> ko
jcli : filter -a
> type DestinationAddrFilter
> fid france
> destination_addr ^33\\d+
> ok
filter -a
type GroupFilter
fid marketing_only
gid marketing
ok
filter -a
type TimeIntervalFilter
fid hours
timeInterval 08:00:00;18:00:00
ok
mtrouter -a
type DefaultRoute
connector smppc(Demo)
rate 0.0
ok
mtrouter -a
type FailoverMTRoute
order 30
filters france;marketing_only
connectors smppc(Demo);smppc(Backup)
rate 0.0
ok
mtrouter -a
type StaticMTRoute
order 10
filters hours
connector smppc(Backup)
rate 0.0
ok
persist
`

for (const name of ['SMSC_A', 'WORLD', 'REST', 'DEMO', 'BACKUP'])
  process.env[`POSTERN_ROUTE_SECRET_IMPORTED_${name}_PASSWORD`] = 'x'
const { url } = await createTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'postern-import-'))
addCleanup(() => rmSync(folder, { recursive: true }))

async function importText(from: string, content: string): Promise<{ script: string; commands: Command[] }> {
  const file = join(folder, from)
  writeFileSync(file, content)
  const text = await runCommand({}, 'route', 'import', file, '--from', from)
  const json = await runCommand({}, 'route', 'import', file, '--from', from, '--json')
  assert.equal(text.exitCode, 0, text.stderr)
  assert.doesNotMatch(text.stdout + json.stdout, /secret-of/)
  const { commands } = JSON.parse(json.stdout) as { commands: Command[] }
  return { script: text.stdout, commands }
}

/** Returns the routes of the commands after saving them. */
async function saved(commands: readonly Command[]): Promise<Record<string, Record<string, unknown>>> {
  const environment = { POSTERN_DATABASE_URL: url }
  const routes: Record<string, Record<string, unknown>> = {}
  for (const { args } of commands) {
    const { exitCode, stderr } = await runCommand(environment, ...args)
    assert.equal(exitCode, 0, `${args.join(' ')}: ${stderr}`)
    if (args[0] !== 'route') continue
    const { stdout } = await runCommand(environment, 'route', 'show', args[2]!, '--json')
    routes[args[2]!] = JSON.parse(stdout) as Record<string, unknown>
  }
  return routes
}

test('a Kannel configuration becomes routes and accounts', async () => {
  const { script, commands } = await importText('kannel', kannel)
  const routes = await saved(commands)
  assert.deepEqual(Object.keys(routes), ['smsc-a', 'world', 'rest'])
  const { options, enabled, partsPerSecond, accounts } = routes['smsc-a']!
  assert.deepEqual(
    { enabled, partsPerSecond, accounts },
    { enabled: true, partsPerSecond: 50, accounts: ['shop'] },
  )
  assert.partialDeepStrictEqual(options, {
    ...{
      host: 'smsc.example.net',
      systemId: 'acme',
      password: 'env:POSTERN_ROUTE_SECRET_IMPORTED_SMSC_A_PASSWORD',
      window: 20,
    },
    source: { ton: 5, npi: 0 },
    defaultAlphabet: 'latin1',
    enquireIntervalMs: 60_000,
  })
  assert.partialDeepStrictEqual(routes.world, {
    prefixes: ['+81', '+44'],
    options: { bind: 'pair', systemType: 'VMA', tls: {}, interfaceVersion: '5.0' },
  })
  // Postern has no rule for all numbers except some.
  assert.equal(routes.rest!.enabled, false)
  for (const expected of [
    /Groups without a counterpart: core/,
    /link of type http: use the protocol of its provider, or write a module/,
    /link of type http: use the protocol clickatell /,
    /receive-port differs from port/,
    /Not imported: validityperiod/,
    /denied-prefix \+81/,
    /user-allow-ip/,
    /POSTERN_ROUTE_SECRET_IMPORTED_SMSC_A_PASSWORD {2}\(smsc-password, line 7\)/,
  ])
    assert.match(script, expected)
})

test('Jasmin console commands become routes and accounts', async () => {
  const { script, commands } = await importText('jasmin', jasmin)
  const routes = await saved(commands)
  const rules = Object.entries(routes).map(([id, { priority, prefixes, accounts, enabled }]) => ({
    id,
    priority,
    prefixes,
    accounts,
    enabled,
  }))
  const france = { prefixes: ['+33'], accounts: ['foo'], enabled: true }
  assert.deepEqual(rules, [
    { id: 'demo', priority: 10, ...france },
    { id: 'backup', priority: 11, ...france },
    { id: 'backup-2', priority: 20, prefixes: [], accounts: [], enabled: false },
    { id: 'demo-2', priority: 30, prefixes: [], accounts: [], enabled: true },
  ])
  assert.partialDeepStrictEqual(routes.demo, {
    partsPerSecond: 110,
    options: { password: 'env:POSTERN_ROUTE_SECRET_IMPORTED_DEMO_PASSWORD' },
  })
  assert.partialDeepStrictEqual(routes.backup, {
    options: { port: 2776, bind: 'pair', reconnectMaxMs: 10_000, source: { ton: 2, npi: 1 } },
  })
  assert.deepEqual(commands[0]!.args, 'account create --name foo --client-id foo --limits-send 20'.split(' '))
  assert.match(script, /The filter hours \(TimeIntervalFilter\) cannot be converted/)
  assert.match(script, /quota balance/)
  assert.match(script, /Opens its own sessions in addition to demo/)
})

test('the printed script is valid shell for any file content', async () => {
  const { script, commands } = await importText('kannel', kannel.replace("o'brien", "o'b$(touch x) `id`"))
  const words = execFileSync('sh', ['-c', `postern() { printf '%s\\0' "$@"; printf '\\n'; }; ${script}`], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.deepEqual(
    words.trimEnd().split('\n'),
    commands.map(({ args }) => args.map((word) => `${word}\0`).join('')),
  )
})

test('no value of the file becomes a reference to a secret of the gateway', async () => {
  const link = `group = smsc
smsc = smpp
smsc-id = rabbitmq
host = env:POSTERN_TOKEN_SECRET
smsc-username = env:POSTERN_TOKEN_SECRET
system-type = env:HOME
service-type = env:HOME
address-range = "file:/run/secrets/x"
smsc-password = secret-of-link
`
  const connector = `smppccm -a
cid rabbitmq
host env:POSTERN_TOKEN_SECRET
username env:POSTERN_TOKEN_SECRET
systype env:HOME
addr_range file:/run/secrets/x
password secret-of-link
ok
`
  for (const [from, content] of [
    ['kannel', link],
    ['jasmin', connector],
  ] as const) {
    const { script, commands } = await importText(from, content)
    const references = commands.flatMap(({ args }) => args.join(' ').match(/(?:env|file):[\w/]+/g) ?? [])
    assert.deepEqual(references, ['env:POSTERN_ROUTE_SECRET_IMPORTED_RABBITMQ_PASSWORD'])
    assert.match(script, /Omitted, because they would be read as references to secrets: host, /)
  }
})

test('a file in another format and an unreadable file are errors', async () => {
  const file = join(folder, 'other')
  writeFileSync(file, 'hello\n')
  const other = await runCommand({}, 'route', 'import', file, '--from', 'jasmin')
  assert.equal(other.exitCode, 1)
  assert.match(other.stderr, /contains no SMPP link and no user in the format of jasmin/)
  const gone = await runCommand({}, 'route', 'import', join(folder, 'gone'), '--from', 'kannel')
  assert.equal(gone.exitCode, 2)
})
