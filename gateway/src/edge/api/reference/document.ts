import { codesByStatus } from './codes.ts'
import { explainReportCode, reportCodes, toReportOutcome } from '../../../channels/report-codes.ts'
import { createComponents } from './components.ts'
import { toCodeFields, toOperation } from './document-operation.ts'
import { shareErrorResponses, type ErrorResponses } from './error-responses.ts'
import { withJointTemplates } from './joint-templates.ts'
import type { Operation } from './operation.ts'
import { operationsFor, apiTags } from './operations.ts'
import { responseHeaders } from './parameters.ts'
import { createWebhooks } from './pushes.ts'
import { namedSchemas } from './schemas.ts'

export interface ApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: object
  }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly webhooks: Readonly<Record<string, object>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly [kind: string]: unknown
  }
  readonly [field: string]: unknown
}

const introduction = [
  'One HTTP API for SMS, MMS, international SMS, RCS, alimtalk, friendtalk, brand messages and flows of them.',
  '',
  'Every response is a JSON object with `code` and `result`; `A000` means success. Bodies are JSON in UTF-8, uploads ' +
    'are `multipart/form-data`. Times are ISO 8601 with an offset. A request with an unknown field is refused, and ' +
    'the error names the field. Where a limit counts bytes or depends on another field, its ' +
    'description states this.',
  '',
  'To try the API without sending messages, use a sandbox account: the last four digits of the recipient select the ' +
    'result; 0001 is delivered, 0002 fails.',
  '',
  '`GET /`, `GET /docs` and `GET /openapi.json` describe the API. They need no token and are not part of the contract.',
].join('\n')

export interface DocumentOptions {
  /** Prefix of the credential headers: `SVC` yields `X-SVC-Client-Id`. */
  readonly credentialPrefix?: string
}

/**
 * Creates the OpenAPI 3.1 document of the public API. `gateway/openapi.json` is a copy for reviews; the server
 * serves the document with its configured credential headers.
 */
export function createDocument({ credentialPrefix = 'SVC' }: DocumentOptions = {}): ApiDocument {
  const operations = operationsFor(credentialPrefix)
  const described = withJointTemplates(operations)
  const errors = shareErrorResponses(described)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postern API',
      version: 'v1',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries(apiTags).map(([name, description]) => ({ name, description })),
    security: [{ token: [] }],
    paths: toPaths(described, errors),
    webhooks: createWebhooks(),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Authorization: Bearer <token>, with a token from POST /v1/auth/token or an API key of the account.',
        },
      },
      headers: Object.fromEntries(
        Object.entries(responseHeaders).map(([key, { description, schema }]) => [
          key,
          { description, schema, 'x-beyond-contract': 'Not part of the contract; a client may ignore it.' },
        ]),
      ),
      responses: errors.components,
      schemas: createComponents(namedSchemas),
    },
    'x-result-codes': resultCodes(operations),
    'x-report-codes': Object.fromEntries(
      reportCodes.map((code) => [code, { outcome: toReportOutcome(code), ...explainReportCode(code, 'en') }]),
    ),
  }
}

function toPaths(
  operations: readonly Operation[],
  errors: ErrorResponses,
): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: toOperation(operation, errors.forOperation(operation)),
    }
  }
  return paths
}

/** Returns the cause and remedy of each code; the responses of an operation list the codes it returns. */
function resultCodes(operations: readonly Operation[]): Record<string, object> {
  const entries = operations.flatMap((operation) => [...codesByStatus(operation).values()].flat())
  const sorted = entries.sort((left, right) => (left.code < right.code ? -1 : 1))
  return Object.fromEntries(sorted.map((entry) => [entry.code, toCodeFields(entry)]))
}
