import type { Example } from '../operation.ts'
import { report } from './reports.ts'
import { sampleValues, success } from './sample-values.ts'

export const streamExamples: readonly Example[] = [
  {
    name: 'stream',
    summary: 'The next reports of the consumer billing, waiting for up to ten seconds',
    query: { consumer: 'billing', limit: '500', wait: '10' },
    status: 200,
    response: { ...success, data: { cursor: sampleValues.cursor, report: [report] } },
  },
  {
    name: 'badCursor',
    summary: 'Not a cursor of this account',
    query: { cursor: 'no-such-cursor' },
    status: 400,
    response: {
      code: 'A806',
      result: 'Invalid cursor: must be a cursor that this stream returned to this account',
    },
  },
]

export const positionExamples: readonly Example[] = [
  {
    name: 'moved',
    summary: 'The consumer billing has stored everything up to the cursor',
    path: { consumer: 'billing' },
    body: { cursor: sampleValues.cursor },
    status: 200,
    response: success,
  },
]
