import type { Example } from '../operation.ts'
import { success } from './sample-values.ts'

export const usageExamples: readonly Example[] = [
  {
    name: 'byChannel',
    summary: 'The last 30 days by channel and outcome',
    query: { by: 'channel,outcome' },
    status: 200,
    response: {
      ...success,
      data: { usage: [{ channel: 'sms', outcome: 'delivered', messages: 1, steps: 1, parts: 1 }] },
    },
  },
  {
    name: 'noDay',
    summary: 'Invalid day',
    query: { from: 'yesterday' },
    status: 400,
    response: {
      code: 'A300',
      result: "Invalid or empty 'from': must be a day, such as 2026-11-15",
      field: 'from',
    },
  },
]
