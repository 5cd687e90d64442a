/** GET /v1/usage. */
import { usageExamples } from '../examples/usage.ts'
import { groupings } from '../../../records/usage/queries.ts'
import type { Operation } from '../operation.ts'
import { ref } from '../ref.ts'

const day = (name: string, description: string) => ({
  ...{ name, description, in: 'query' as const, required: false },
  schema: { type: 'string', format: 'date' },
})

export const usageOperations: readonly Operation[] = [
  {
    id: 'showUsage',
    method: 'get',
    path: '/v1/usage',
    tag: 'Reports',
    summary: 'How much was sent',
    description:
      'Counts of the messages accepted on those days that have ended, up to the last second. A message that went ' +
      'through several steps counts each in steps and parts, and as a message with its last one. With Accept: ' +
      'text/csv the same as a table.',
    parameters: [
      day('from', 'First day; 29 days before the last one when not given.'),
      day('to', 'Last day, at most 366 with the first; today when not given.'),
      {
        name: 'by',
        in: 'query',
        required: false,
        description: `What to tell apart, with commas between: any of ${Object.keys(groupings).join(', ')}.`,
        schema: { type: 'string', default: 'day' },
        example: 'channel,outcome',
      },
    ],
    answer: {
      description: 'The counts; none when nothing was sent',
      schema: ref('UsageAnswer'),
      also: { 'text/csv': 'The same as a table, with a first line of names' },
    },
    codes: ['A300'],
    beyondContract: 'Counts for billing.',
    examples: usageExamples,
  },
]
