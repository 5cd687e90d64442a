/** Defines `postern parked retry`. The other commands of parked jobs are derived from their operations. */
import { Argument, Option, type Command } from 'commander'
import { retryStages } from '../../records/parked/read.ts'
import { defineCommand } from '../define.ts'
import { UsageError } from '../errors.ts'
import { findGroup } from '../groups.ts'
import { oneOf } from '../options.ts'
import type { RetryOptions } from './calls.ts'

export function defineParked(program: Command): void {
  defineCommand(findGroup(program, ['parked']), {
    name: 'retry',
    summary: 'Return parked jobs to their stages and remove them from the parked ones.',
    details:
      'Specify job numbers, --stage or --all. A job that fails again is parked again. The command stops at the first job that cannot be passed on. In JSON, result is retried, parked-again, ended or unreadable; stoppedAt is null or {"id":8,"error":"…"}.',
    arguments: [new Argument('[n...]', 'numbers of jobs').argParser(readJobIds)],
    options: [
      new Option('--all', 'retry every parked job'),
      oneOf('--stage <stage>', 'retry every parked job of this stage', retryStages),
    ],
    operation: 'retryParked',
    examples: ['parked retry 7 8', 'parked retry --stage dispatch', 'parked retry --all'],
    json: '{"jobs":[{"id":7,"stage":"dispatch","result":"retried"}],"stoppedAt":null}',
    call: async (admin, ids: readonly number[], options: RetryOptions) => {
      requireChoice(ids, options)
      return (await import('./calls.ts')).retryParkedJobs(admin, ids, options)
    },
  })
}

function readJobIds(text: string, before: readonly number[] | undefined): readonly number[] {
  const id = Number(text)
  if (!/^\d{1,15}$/.test(text) || id < 1)
    throw new UsageError(`'${text}' is not a job number; run \`postern parked list\``)
  return [...(before ?? []), id]
}

function requireChoice(ids: readonly number[], { all, stage }: RetryOptions): void {
  if (ids.length === 0 && stage === undefined && all !== true)
    throw new UsageError('specify the jobs to retry: numbers, --stage STAGE or --all')
}
