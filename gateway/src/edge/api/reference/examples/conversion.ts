import type { Example } from '../operation.ts'
import { success } from './sample-values.ts'

export const conversionExamples: readonly Example[] = [
  {
    name: 'notRecorded',
    summary: 'A message that is not a code of the account, or not recorded yet',
    body: { msgKey: ['20261116004512345A17QKX2M8R4ZT0V'] },
    status: 200,
    response: { ...success, data: { counted: 0 } },
  },
  {
    name: 'noKey',
    summary: 'No message is named',
    body: { msgKey: [] },
    status: 400,
    response: {
      code: 'A300',
      result: "Invalid or empty 'msgKey': must be an array of 1 to 100 message keys",
      field: 'msgKey',
    },
  },
]
