import type { ContractRow, UnprovenRow } from './row.ts'
import { endpointRows } from './rows/endpoints.ts'
import { errorRows } from './rows/errors.ts'
import { formatRows } from './rows/formats.ts'
import { limitRows } from './rows/limits.ts'
import { rcsObjectRows } from './rows/rcs-objects.ts'
import { resourceRows } from './rows/resources.ts'
import { ruleRows } from './rows/rules.ts'
import { stateRows } from './rows/states.ts'

/** Rows of all contract tables and all numbered rules, in contract order. */
export const rows: readonly ContractRow[] = [
  ...resourceRows,
  ...rcsObjectRows,
  ...stateRows,
  ...endpointRows,
  ...formatRows,
  ...ruleRows,
  ...errorRows,
  ...limitRows,
]

export const unproven: readonly UnprovenRow[] = [
  {
    section: 'What the service does',
    row: '6',
    why: 'names areas whose contract is not given; their tests are those of the gateway itself',
  },
  {
    section: 'Resources · Report record',
    row: 'userType: who fills it',
    why: 'the carrier knows it: a route to another service with this API reports it, a direct route to Kakao does not',
  },
  {
    section: 'Endpoints · international rules',
    row: '4: prior registration',
    why: 'is an agreement with the operator; the gateway keeps no list of signatures',
  },
  {
    section: 'Endpoints · alimtalk',
    row: 'templateCode is approved',
    why: 'only the messenger knows which templates it has approved; it rejects others in the report',
  },
  {
    section: 'Events',
    row: '4: webhooks',
    why: 'the request, its retries and its security are not part of the contract',
  },
  {
    section: 'Errors',
    row: 'A999 at the other sends',
    why: 'they use no table that a test can break for only one account; all operations share one error handler',
  },
]
