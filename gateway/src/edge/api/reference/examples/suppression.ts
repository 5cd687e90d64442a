import type { Example } from '../operation.ts'
import { success } from './sample-values.ts'

const to = '01000000009'

export const suppressExamples: readonly Example[] = [
  {
    name: 'suppressed',
    summary: 'Two recipients opted out',
    body: { to: [to, '01000000008'], reason: 'by the form on our page' },
    status: 200,
    response: { ...success, data: { state: 'suppressed', changed: 2, kept: 0 } },
  },
  {
    name: 'keyword',
    summary: 'The text of a recipient has no opt-out keyword',
    body: { to: [to], keyword: 'thank you' },
    status: 200,
    response: { ...success, data: { state: 'unchanged', changed: 0, kept: 0 } },
  },
  {
    name: 'noNumber',
    summary: 'Not a recipient',
    body: { to: ['none'] },
    status: 400,
    response: {
      code: 'A306',
      result: "Invalid or empty 'to[0]': must be a recipient as in sends: digits, or + and the country code",
      field: 'to[0]',
    },
  },
]

export const searchSuppressionExamples: readonly Example[] = [
  {
    name: 'unknown',
    summary: 'The recipient has neither opted out nor agreed',
    body: { to: '01000000007' },
    status: 200,
    response: { ...success, data: { state: 'none', since: null, source: null } },
  },
]

export const removeSuppressionExamples: readonly Example[] = [
  {
    name: 'removed',
    summary: 'A recipient wants advertisements again',
    body: { to },
    status: 200,
    response: { ...success, data: { state: 'none', changed: 1, kept: 0 } },
  },
]
