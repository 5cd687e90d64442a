/** Derived commands: arguments and options become a request, and the response becomes text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { AdminClient, type UntypedInput } from './client/client.ts'
import type { DerivedCommand, CommandParameter } from './derived-command.ts'
import { createProgram } from './program.ts'
import { renderData } from './render.ts'
import { runDerived } from './run-derived.ts'

function createClient(answers: readonly unknown[]) {
  const requests: UntypedInput[] = []
  const left = [...answers]
  const transport = {
    name: 'test',
    url: null,
    profile: null,
    call: (_id: string, input: UntypedInput) => {
      requests.push(input)
      return Promise.resolve(left.shift())
    },
    close: () => Promise.resolve(),
  }
  return { admin: new AdminClient(transport, 'why'), requests }
}

function createCommand(fields: Partial<DerivedCommand>): DerivedCommand {
  const common = {
    operation: 'setAccount',
    name: 'account set',
    summary: '.',
    examples: [],
    json: '{}',
  } as const
  return { ...common, isPage: false, arguments: [], options: [], ...fields }
}

const option = (field: string, name: string, others: Partial<CommandParameter> = {}): CommandParameter => ({
  field,
  name,
  type: 'text',
  description: '',
  ...others,
})

test('arguments and options become the fields of the request, with the reason', async () => {
  const { admin, requests } = createClient([{}])
  const command = createCommand({
    arguments: [option('params.clientId', 'client-id')],
    options: [
      option('body.limits.send', 'limits-send', { type: 'whole', nullable: true }),
      option('body.lane', 'lane', { nullable: true }),
      option('body.weight', 'weight', { type: 'whole' }),
    ],
  })
  await runDerived(admin, command, ['shop', { limitsSend: 5, lane: 'none' }])
  assert.deepEqual(requests, [
    { params: { clientId: 'shop' }, query: {}, body: { limits: { send: 5 }, lane: null, reason: 'why' } },
  ])
})

test('all pages of a list are read, up to the limit', async () => {
  const pages = [
    { items: [{ id: 1 }, { id: 2 }], next: 'c' },
    { items: [{ id: 3 }, { id: 4 }], next: 'd' },
  ]
  const { admin, requests } = createClient(pages)
  const { json, lines } = await runDerived(
    admin,
    createCommand({ operation: 'listAccounts', isPage: true }),
    [{ limit: 3 }],
  )
  assert.deepEqual(json, { items: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  assert.deepEqual(lines, ['id', '1', '2', '3'])
  assert.equal(requests[1]?.query?.cursor, 'c')
})

test('a record has a line per field and a table per list', () => {
  const data = {
    clientId: 'a',
    blocked: false,
    limits: { send: null },
    keys: [{ keyId: 'k', scopes: ['x', 'y'] }],
  }
  assert.deepEqual(renderData(data), [
    'client id    a',
    'blocked      no',
    'limits send  -',
    '',
    'keys:',
    'key id  scopes',
    'k       x, y',
  ])
})

test('the word "none" empties a list', async () => {
  const program = createProgram({ out: () => undefined, err: () => undefined })
  const find = (parent: Command, name: string): Command =>
    parent.commands.find((command) => command.name() === name)!
  const set = find(find(program, 'protection'), 'set')
  set.action(() => undefined)
  await program.parseAsync(['protection', 'set', 'shop', '--countries', 'none'], { from: 'user' })
  assert.deepEqual(set.opts().countries, [])
})
