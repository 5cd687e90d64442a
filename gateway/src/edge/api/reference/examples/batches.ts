import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

const path = { batchId: sampleValues.batchId }
const noLines = { lines: 0, waiting: 0, duplicate: 0, refused: 0, cancelled: 0, messages: 0, open: 0 }
const twoWaiting = { ...noLines, lines: 2, waiting: 2 }

const sale = {
  batchId: sampleValues.batchId,
  ref: 'sale-11',
  state: 'open',
  createdAt: sampleValues.sendTime,
  startAt: sampleValues.sendAt,
  speed: 200,
  hours: { from: '09:00', to: '20:00' },
  duplicates: 'drop',
  counts: noLines,
  codes: {},
  outcomes: {},
}

const answer = (
  state: string,
  counts: object = twoWaiting,
): Pick<Example, 'path' | 'status' | 'response'> => ({
  path,
  status: 200,
  response: { ...success, data: { ...sale, state, counts } },
})

export const createExamples: readonly Example[] = [
  {
    name: 'large',
    summary: 'A batch whose recipients are uploaded afterwards',
    headers: { 'Idempotency-Key': '3f9d7c52-5b1e-4c39-8f0a-6d2b7c1e9a11' },
    body: {
      messageFlow: [{ sms: { from: '0212345678', text: 'Dear #{name}, your parcel arrives tomorrow.' } }],
      ref: 'sale-11',
      startAt: sampleValues.sendAt,
      speed: 200,
      hours: { from: '09:00', to: '20:00' },
    },
    status: 200,
    response: { ...success, data: sale },
  },
  {
    name: 'small',
    summary:
      'A batch with its recipients, which needs no separate start; its messages are created from startAt',
    headers: { 'Idempotency-Key': '3f9d7c52-5b1e-4c39-8f0a-6d2b7c1e9a12' },
    body: {
      messageFlow: [{ sms: { from: '0212345678', text: 'Your parcel arrives tomorrow.' } }],
      ref: 'reminder-3',
      startAt: sampleValues.sendAt,
      recipients: [{ to: '01000000001' }, { to: '01000010001', ref: 'reminder-3/2' }],
      start: true,
    },
    status: 200,
    response: {
      ...success,
      data: {
        batchId: sampleValues.otherBatchId,
        ref: 'reminder-3',
        state: 'running',
        createdAt: sampleValues.sendTime,
        startAt: sampleValues.sendAt,
        duplicates: 'drop',
        counts: twoWaiting,
        codes: {},
        outcomes: {},
      },
    },
  },
]

export const uploadExamples: readonly Example[] = [
  {
    name: 'csv',
    summary: 'Two recipients as CSV',
    path: { ...path, part: '1' },
    body: 'to,ref,name\n01000000001,parcel-1,Minji\n01000010001,parcel-2,Junho\n',
    status: 200,
    response: { ...success, data: { ...path, part: 1, lines: 2 } },
  },
  {
    name: 'noRecipient',
    summary: 'The header has no column for the recipient',
    path: { ...path, part: '2' },
    body: 'phone,name\n01000000001,Minji\n',
    status: 400,
    response: {
      code: 'A300',
      result:
        "Wrong request: line 1 must be a header with the column 'to'; optional columns are 'ref' and placeholder names",
      field: 'line 1',
    },
  },
]

export const checkExamples: readonly Example[] = [
  {
    name: 'checked',
    summary: 'Every line is checked; the request is repeated until then',
    ...answer('ready'),
  },
]
export const startExamples: readonly Example[] = [
  { name: 'started', summary: 'The batch runs, and creates messages from startAt', ...answer('running') },
]
export const pauseExamples: readonly Example[] = [
  { name: 'paused', summary: 'A running batch is paused', ...answer('paused') },
]
export const resumeExamples: readonly Example[] = [
  { name: 'resumed', summary: 'A paused batch goes on', ...answer('running') },
]
export const showExamples: readonly Example[] = [
  { name: 'progress', summary: 'A running batch before its startAt', ...answer('running') },
  {
    name: 'unknownBatch',
    summary: 'No such batch',
    path: { batchId: 'no-such-batch' },
    status: 404,
    response: { code: 'A350', result: 'Unknown batch: the account has no batch with this id' },
  },
]
export const listExamples: readonly Example[] = [
  {
    name: 'byRef',
    summary: 'The batches with a ref',
    query: { ref: 'sale-11' },
    status: 200,
    response: { ...success, data: { batches: [{ ...sale, state: 'running', counts: twoWaiting }] } },
  },
]
export const cancelBatchExamples: readonly Example[] = [
  {
    name: 'cancelledBatch',
    summary: 'A batch is cancelled before its start',
    ...answer('cancelled', { ...noLines, lines: 2, cancelled: 2 }),
  },
]
export const cancelByRefExamples: readonly Example[] = [
  {
    name: 'counted',
    summary: 'What would be cancelled',
    body: { ref: 'reminder-3', dryRun: true },
    status: 200,
    response: { ...success, data: { batches: 1, messages: 0 } },
  },
  {
    name: 'cancelledByRef',
    summary: 'Everything with the ref is cancelled',
    body: { ref: 'reminder-3' },
    status: 200,
    response: { ...success, data: { batches: 1, messages: 0 } },
  },
]
