import { usageExamples } from '../examples/usage.ts'
import { groupings } from '../../../../records/usage/queries.ts'
import { maxRows } from '../../../../records/usage/query.ts'
import type { Operation } from '../operation.ts'
import { ref } from '../ref.ts'

const day = (name: string, description: string) => ({
  name,
  description,
  in: 'query' as const,
  required: false,
  schema: { type: 'string', format: 'date' },
})

export const clientUsageOperations: readonly Operation[] = [
  {
    id: 'showUsage',
    method: 'get',
    path: '/v1/usage',
    tag: 'Reports',
    summary: 'Get the usage',
    description:
      'Counts of finished messages by the day of their acceptance, up to the last second. A message that went through ' +
      'several steps counts each of them in steps and parts, and once in messages, with its last step. With Accept: ' +
      'text/csv the response is a table.',
    parameters: [
      day('from', 'First day; default: 29 days before the last one.'),
      day('to', 'Last day; at most 366 days including the first; default: today.'),
      {
        name: 'by',
        in: 'query',
        required: false,
        description: `Grouping, separated by commas: any of ${Object.keys(groupings).join(', ')}.`,
        schema: { type: 'string', default: 'day' },
        example: 'channel,outcome',
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Rows of one response.',
        schema: { type: 'integer', minimum: 1, maximum: maxRows, default: maxRows },
      },
      {
        name: 'after',
        in: 'query',
        required: false,
        description:
          'The `next` of the previous response, to get the following rows; with text/csv it is in the header X-Next.',
        schema: { type: 'string', maxLength: 1000 },
      },
    ],
    response: {
      description: 'The counts; empty when nothing was sent',
      schema: ref('UsageResponse'),
      also: { 'text/csv': 'The same as a table with a header line' },
    },
    codes: ['A300'],
    beyondContract: 'Usage for billing.',
    examples: usageExamples,
  },
]
