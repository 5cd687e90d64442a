import { batchStates, maxInlineRecipients } from '../../../../pipeline/batches/responses.ts'
import { defaultListed, maxListed, maxParts } from '../../../../pipeline/batches/http.ts'
import { resultColumns } from '../../../../pipeline/batches/results.ts'
import { maxLineBytes, uploadBytes } from '../../../../pipeline/batches/upload.ts'
import { maxUnendedBatches } from '../../../../records/batches/uploads.ts'
import { formCodes } from '../codes.ts'
import * as examples from '../examples/batches.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { Example, Operation, OperationParameter } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

const common = { tag: 'Batches', beyondContract: 'Batches: one flow for many recipients.' } as const
const batchId = pathParameter('batchId', 'batchId from the response to the creation.', sampleValues.batchId)
const batchResponse = { description: 'The batch', schema: ref('BatchResponse') }

const action = (
  verb: 'check' | 'start' | 'pause' | 'resume' | 'cancel',
  summary: string,
  description: string,
  shown: readonly Example[],
): Operation => ({
  ...common,
  id: `${verb}Batch`,
  method: 'post',
  path: `/v1/batch/{batchId}/${verb}`,
  summary,
  description: `${description} A repeated request changes nothing.`,
  parameters: [batchId],
  response: batchResponse,
  codes: verb === 'start' ? ['A343', 'A350', 'A351'] : ['A350', 'A351'],
  examples: shown,
})

const idempotencyKey: OperationParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A unique key for this batch, such as a UUID. The same request with the same key finds the batch as long as it is kept.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '3f9d7c52-5b1e-4c39-8f0a-6d2b7c1e9a11',
}

const filter = (name: string, description: string, schema: object): OperationParameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})

export const batchOperations: readonly Operation[] = [
  {
    ...common,
    id: 'createBatch',
    method: 'post',
    path: '/v1/batch',
    summary: 'Create a batch',
    description:
      'A flow for many recipients, as in an omni send. Upload the recipients, then start the batch; up to ' +
      `${maxInlineRecipients} recipients fit into this request, and start: true starts the batch after its check. An account can ` +
      `have ${maxUnendedBatches} batches that have not ended. A batch that is not started within 24 hours after its last upload or ` +
      'check is deleted. Messages of a batch are always in the lane for bulk messages, behind codes and notices.',
    parameters: [idempotencyKey],
    body: {
      contentType: 'application/json',
      schema: ref('BatchRequest'),
      description: 'Flow, pace and hours; at most 256 KB',
    },
    response: { description: 'Created', schema: ref('BatchResponse') },
    codes: [...formCodes, 'A021', 'A250', 'A305', 'A306', 'A310', 'A343', 'A352', 'A353'],
    examples: examples.createExamples,
  },
  {
    ...common,
    id: 'uploadRecipients',
    method: 'put',
    path: '/v1/batch/{batchId}/recipients/{part}',
    summary: 'Upload recipients',
    description:
      'Adds a part of the recipients: CSV with a header line (to, ref and the names of placeholders), or one JSON object per line. ' +
      'A part is stored as a whole or not at all: repeat a request whose response was lost. The same part with the same bytes ' +
      'gets the same response. Recipients are checked by the check, not by the upload. An upload to a checked batch opens it again.',
    parameters: [
      batchId,
      pathParameter('part', 'Number of the part; the results have the order of parts.', '1', {
        type: 'integer',
        minimum: 1,
        maximum: maxParts,
      }),
    ],
    body: {
      contentType: 'application/x-ndjson',
      schema: ref('BatchRecipient'),
      description: `One recipient per line, at most ${uploadBytes / 1024 / 1024} MB and ${maxLineBytes / 1024} KB per line; or text/csv`,
      also: {
        'text/csv': 'A header line with to, ref and the names of placeholders, then one recipient per line',
      },
    },
    response: { description: 'Stored', schema: ref('BatchPartResponse') },
    codes: ['A021', 'A300', 'A350', 'A351', 'A352', 'A353'],
    examples: examples.uploadExamples,
  },
  action(
    'check',
    'Check a batch',
    'Finds repeated recipients and checks every line like a send, in the background. The counts and codes of the batch show the ' +
      'result, and the results name the lines.',
    examples.checkExamples,
  ),
  action(
    'start',
    'Start a batch',
    'Checks the lines first if that has not been done since the last upload. Refused and repeated lines are left out. Messages ' +
      'are created from startAt on, within the hours, at the speed of the batch; each line is checked again then.',
    examples.startExamples,
  ),
  action(
    'pause',
    'Pause a batch',
    'No further message is created, and within two seconds none is submitted. Messages that were submitted receive their reports.',
    examples.pauseExamples,
  ),
  action('resume', 'Resume a batch', 'The messages and lines that waited are sent.', examples.resumeExamples),
  {
    ...common,
    id: 'showBatch',
    method: 'get',
    path: '/v1/batch/{batchId}',
    summary: 'Get a batch',
    description:
      'Its state, how many lines have which result, and how many messages have which outcome. The batch has ended when no line is ' +
      'waiting and no message is open.',
    parameters: [batchId],
    response: batchResponse,
    codes: ['A350'],
    examples: examples.showExamples,
  },
  {
    ...common,
    id: 'listBatches',
    method: 'get',
    path: '/v1/batch',
    summary: 'List batches',
    description: 'The batches of the account, newest first.',
    parameters: [
      filter('state', 'Only batches in this state.', { type: 'string', enum: [...batchStates] }),
      filter('ref', 'The whole `ref` of the batch.', { type: 'string', minLength: 1, maxLength: 200 }),
      filter('limit', 'Maximum number of batches on a page.', {
        type: 'integer',
        minimum: 1,
        maximum: maxListed,
        default: defaultListed,
      }),
      filter('after', 'The `next` of the previous page.', { type: 'string', maxLength: 100 }),
    ],
    response: { description: 'A page of batches', schema: ref('BatchListResponse') },
    codes: ['A300', 'A350'],
    examples: examples.listExamples,
  },
  {
    ...common,
    id: 'downloadBatchResults',
    method: 'get',
    path: '/v1/batch/{batchId}/results',
    summary: 'Download the results of a batch',
    description:
      `A table with one row for each uploaded line, in order: ${resultColumns.join(', ')}. The code is A000 for a line with a ` +
      'message, duplicate, cancelled, the code with which it was refused, or empty while it waits. Available in every state; kept as ' +
      'long as reports. An account can make one download at a time.',
    parameters: [batchId],
    response: { description: 'The rows, with a header line', files: ['text/csv'] },
    codes: ['A350'],
    examples: [],
  },
  action(
    'cancel',
    'Cancel a batch',
    'Lines without a message are cancelled. Messages that were not submitted end with report code 90010; the others receive ' +
      'their own reports.',
    examples.cancelBatchExamples,
  ),
  {
    ...common,
    id: 'cancelByRef',
    method: 'post',
    path: '/v1/cancel',
    summary: 'Cancel by ref',
    description:
      'Cancels the batches and the scheduled messages with exactly this ref; with dryRun: true they are only counted. A scheduled ' +
      'message is found about a second after its acceptance. A repeated request cancels what is left.',
    body: { contentType: 'application/json', schema: ref('CancelRequest'), description: 'The ref' },
    response: {
      description: 'The numbers of cancelled batches and messages',
      schema: ref('CancelledResponse'),
    },
    codes: ['A305', 'A351'],
    examples: examples.cancelByRefExamples,
  },
]
