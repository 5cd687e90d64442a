/** Definitions of `postern parked …`. */
import { Argument, Option, type Command } from 'commander'
import { retryStages } from '../../records/parked/read.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { UsageError } from '../errors.ts'
import { oneOf } from '../options.ts'
import type { RetryOptions } from './calls.ts'

const brokerDown = 'RabbitMQ is unavailable'
const unknownJob = 'there is no such parked job'

const job = (): Argument =>
  new Argument('<n>', 'number of the job, as `postern parked list` prints it').argParser(readJobId)

export function defineParked(program: Command): void {
  const parked = defineGroup(program, {
    name: 'parked',
    summary: 'Inspect, retry or drop jobs that no stage could process.',
    examples: ['parked list', 'parked show 7'],
  })
  defineCommand(parked, {
    name: 'list',
    summary: 'List the parked jobs, the oldest first.',
    details:
      'Changes nothing. "queued" counts jobs that a worker has yet to move from RabbitMQ into the list.',
    operation: 'listParked',
    examples: ['parked list', "parked list --json | jq '.parked | length'"],
    failures: [brokerDown],
    json: '{"parked":[{"id":7,"parkedAt":"2026-11-15T02:32:25.000Z","stage":"intake","msgKey":"…","reason":"error 22021","times":1}],"queued":0}',
    call: async (admin) => (await import('./calls.ts')).listParkedJobs(admin),
  })
  defineCommand(parked, {
    name: 'show',
    summary: 'Show one parked job.',
    arguments: [job()],
    options: [
      new Option('--reveal', 'print the whole job, with what the client wrote; with --reason, and recorded'),
    ],
    operation: 'showParked',
    examples: ['parked show 7', 'parked show 7 --reveal --reason "the client asked"'],
    failures: [unknownJob],
    json: '{"id":7,"parkedAt":"…","stage":"intake","msgKey":"…","reason":"error 22021","times":1,"keys":{"accountId":1},"bytes":412,"payload":null}',
    call: async (admin, id: number, options: { reveal?: boolean }) =>
      (await import('./calls.ts')).showParkedJob(admin, id, options),
  })
  defineCommand(parked, {
    name: 'retry',
    summary: 'Hand parked jobs to their stage again and remove them.',
    details:
      'Name the jobs, a stage or --all. A job that fails again is parked again. It stops at the first job that cannot be handed over. In JSON, result is retried, parked-again, ended or unreadable; stoppedAt is null or {"id":8,"error":"…"}.',
    arguments: [new Argument('[n...]', 'numbers of jobs').argParser(readJobIds)],
    options: [
      new Option('--all', 'retry every parked job'),
      oneOf('--stage <stage>', 'retry every parked job of this stage', retryStages),
    ],
    operation: 'retryParked',
    examples: ['parked retry 7 8', 'parked retry --stage dispatch', 'parked retry --all'],
    failures: [brokerDown, unknownJob],
    json: '{"jobs":[{"id":7,"result":"retried"}],"stoppedAt":null}',
    call: async (admin, ids: readonly number[], options: RetryOptions) => {
      requireChoice(ids, options)
      return (await import('./calls.ts')).retryParkedJobs(admin, ids, options)
    },
  })
  defineCommand(parked, {
    name: 'drop',
    summary: 'Give a parked job up.',
    details:
      'Its message still ends in exactly one outcome, and the ledger keeps no gap. Prints what the drop causes.',
    arguments: [job()],
    operation: 'dropParked',
    examples: ['parked drop 7 --reason "the client sent it again"'],
    failures: [brokerDown, unknownJob, 'the job is refused, because its message could not be ended'],
    json: '{"id":7,"effect":"its step fails, and the flow goes on to the next step or ends"}',
    call: async (admin, id: number) => (await import('./calls.ts')).dropParkedJob(admin, id),
  })
}

function readJobId(text: string): number {
  const id = Number(text)
  if (/^\d{1,15}$/.test(text) && id >= 1) return id
  throw new UsageError(`'${text}' is not the number of a parked job; \`postern parked list\` lists them`)
}

function readJobIds(text: string, before: readonly number[] | undefined): readonly number[] {
  return [...(before ?? []), readJobId(text)]
}

function requireChoice(ids: readonly number[], { all, stage }: RetryOptions): void {
  if (ids.length === 0 && stage === undefined && all !== true)
    throw new UsageError('name the jobs to retry: numbers, --stage STAGE or --all')
}
