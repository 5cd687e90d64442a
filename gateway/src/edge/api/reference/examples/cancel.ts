import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

export const cancelExamples: readonly Example[] = [
  {
    name: 'cancelled',
    summary: 'A scheduled message is cancelled',
    path: { msgKey: sampleValues.scheduledKey },
    status: 200,
    response: success,
  },
  {
    name: 'notScheduled',
    summary: 'No such scheduled message',
    path: { msgKey: 'no-such-message' },
    status: 400,
    response: {
      code: 'A330',
      result: 'Cannot be cancelled: no scheduled message with this msgKey is waiting',
    },
  },
]
