/** `postern parked …`: what no stage could process, one by one. What clients wrote is shown only on request. */
import { parseArgs } from 'node:util'
import { openBroker, type Broker } from '../platform/broker/broker.ts'
import { createTopology, type Topology } from '../jobs/queues.ts'
import type { Database } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { dropParked } from '../parked/drop.ts'
import { findParked, listParked, type ParkedRow } from '../parked/queries.ts'
import { keysOf, retryStages, type RetryStage } from '../parked/read.ts'
import { retryParked, type Retried } from '../parked/retry.ts'
import { UsageError, type Command } from './command.ts'
import { print, withDatabase } from './connect.ts'

interface Opened {
  readonly database: Database
  readonly broker: Broker
  readonly topology: Topology
}

const told: Readonly<Record<Retried, (row: ParkedRow) => string>> = {
  retried: ({ stage }) => `handed to ${stage} again`,
  'parked-again': () => 'handed on, and parked again already',
  ended: () => 'its step had ended already; removed',
  unreadable: ({ id }) => `no stage can read it; \`postern parked drop ${id}\` gives it up`,
}

const brokerWaitMs = 10_000
const pageSize = 200

export async function list({ database, broker, topology }: Opened): Promise<void> {
  let count = 0
  for (let page = await listParked(database, 0, pageSize); page.length > 0;) {
    for (const row of page) print(lineOf(row))
    count += page.length
    page = await listParked(database, page.at(-1)!.id, pageSize)
  }
  const waiting = await broker.depth(topology.parked)
  if (count === 0) print('nothing is parked')
  if (waiting > 0) {
    print(`${waiting} more in the queue ${topology.parked.name}: a running worker moves them here`)
  }
}

function lineOf({ id, stage, msgKey, reason, times, parkedAt }: ParkedRow): string {
  const again = times === 1 ? '' : ` (${times} times)`
  return `${String(id).padStart(6)}  ${parkedAt.toISOString()}  ${stage.padEnd(10)}  ${msgKey ?? '-'}  ${reason ?? `see the log of ${stage}`}${again}`
}

export async function show(
  { database }: Pick<Opened, 'database'>,
  id: number,
  reveal: boolean,
): Promise<void> {
  const row = await needParked(database, id)
  print(lineOf(row))
  for (const [name, value] of Object.entries(keysOf(row.payload))) print(`${name.padEnd(10)}  ${value}`)
  if (reveal) print(row.payload.toString())
  else print(`${row.payload.length} bytes; --reveal prints them, with what the client wrote`)
}

export async function retry(
  { database, broker, topology }: Opened,
  choice: { readonly ids: readonly number[]; readonly stage: RetryStage | null },
): Promise<void> {
  const context = { database, publisher: broker.publisher, topology }
  const chosen = choice.ids.length > 0 ? choice.ids : await allIds(database, choice.stage)
  for (const id of chosen) {
    const row = await needParked(database, id)
    print(`${id}: ${told[await retryParked(context, row)](row)}`)
  }
  if (chosen.length === 0) print('nothing is parked there')
}

/** Those that lie there now: what is parked again meanwhile is not taken up a second time. */
async function allIds(database: Database, stage: RetryStage | null): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await listParked(database, ids.at(-1) ?? 0, pageSize, stage)
    if (page.length === 0) return ids
    ids.push(...page.map(({ id }) => id))
  }
}

export async function drop({ database, broker, topology }: Opened, id: number): Promise<void> {
  const row = await needParked(database, id)
  const fate = await dropParked({ database, publisher: broker.publisher, topology }, row)
  if (!fate.dropped) throw new UsageError(`${id} is not dropped: ${fate.why}`)
  print(`${id}: dropped; ${fate.effect}`)
}

async function needParked(database: Database, id: number): Promise<ParkedRow> {
  const row = await findParked(database, id)
  if (row === null) throw new UsageError(`nothing is parked as ${id}; \`postern parked list\` shows what is`)
  return row
}

function toId(text: string | undefined): number {
  const id = Number(text)
  if (text === undefined || !Number.isSafeInteger(id) || id < 1)
    throw new UsageError('a number is missing; `postern parked list` shows them')
  return id
}

function withBoth(work: (opened: Opened) => Promise<void>): Promise<void> {
  return withDatabase(async (database, config) => {
    const broker = openBroker(config.brokerUrls, config.publishTimeoutMs, createLog('error', 'cli'))
    try {
      const topology = createTopology(config.queuePrefix)
      await within(broker.declare([topology.parked, topology.accepted, topology.receipts]))
      return await work({ database, broker, topology })
    } finally {
      await broker.close()
    }
  })
}

async function within(connecting: Promise<void>): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(
      () => reject(new UsageError('RabbitMQ does not answer; see POSTERN_BROKER_URLS')),
      brokerWaitMs,
    ).unref()
  })
  await Promise.race([connecting, late])
}

export const parked: Command = {
  name: 'parked',
  usage:
    'parked list | show N [--reveal] | retry N … | retry --all | retry --stage intake|dispatch|settle | drop N',
  summary: 'jobs that no stage could process',
  async run([action, ...args]) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        all: { type: 'boolean', default: false },
        stage: { type: 'string' },
        reveal: { type: 'boolean', default: false },
      },
    })
    switch (action) {
      case 'list':
        return withBoth(list)
      case 'show':
        return withDatabase((database) => show({ database }, toId(positionals[0]), values.reveal))
      case 'retry': {
        const stage = retryStages.find((known) => known === values.stage) ?? null
        if (values.stage !== undefined && stage === null)
          throw new UsageError(
            `there is no stage '${values.stage}'; ${retryStages.join(', ')} can be tried again`,
          )
        if (positionals.length === 0 && stage === null && !values.all)
          throw new UsageError('say which: numbers, --stage STAGE or --all')
        const ids = positionals.map((text) => toId(text))
        return withBoth((opened) => retry(opened, { ids, stage }))
      }
      case 'drop':
        return withBoth((opened) => drop(opened, toId(positionals[0])))
      default:
        throw new UsageError(action === undefined ? 'an action is missing' : `unknown action '${action}'`)
    }
  },
}
