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

/** `docs/evidence/conformance.md` lists them in this order. */
export const unproven: readonly UnprovenRow[] = [
  {
    section: 'What the service does',
    row: '6',
    why: 'names areas whose contract is not given; their tests are those of the gateway itself',
  },
  {
    section: 'Report record',
    row: '`userType`, who fills it',
    why: 'the carrier knows it; a route to another service with this API reports it, a direct route to Kakao does not',
  },
  {
    section: 'RCS request objects',
    row: 'template `{key}` is registered',
    why: 'only the carrier knows the keys of a template; any key is passed on',
  },
  {
    section: 'RCS request objects',
    row: 'what the phone shows and does',
    why: 'cards, marks and buttons are shown by the handset; the rows prove the content that the carrier gets',
  },
  {
    section: 'alimtalk',
    row: '`templateCode` is approved',
    why: 'only the messenger knows which templates it has approved; it rejects others in the report',
  },
  {
    section: 'international',
    row: '`text` of 2000 characters',
    why: 'the limit of 5 parts, at most 765 characters, is reached first',
  },
  {
    section: 'international rules',
    row: '4, prior registration',
    why: 'is an agreement with the operator; the gateway keeps no list of signatures',
  },
  {
    section: 'international rules',
    row: '5, prior registration',
    why: 'countries and carriers demand it; the rule `international-sender-registered`, which is off here, has its own tests',
  },
  {
    section: 'RCS fallback',
    row: '`originCID`, whose number it is',
    why: 'resellers and relay companies agree on it; the rule `origin-code-owned`, which is off here, has its own tests',
  },
  {
    section: 'formatId table',
    row: 'limits of a template of unknown kind',
    why: 'the kind is not in the ID; until an operator sets it, the limits of the most permissive kind apply',
  },
  {
    section: 'formatId table',
    row: 'an emoji is one character',
    why: 'does not hold; the gateway counts UTF-16 units, so an emoji counts as two',
  },
  {
    section: 'omni',
    row: 'optional object `data`',
    why: 'neither its fields nor its place are given, and no published SDK has it',
  },
  {
    section: 'Events',
    row: '4, webhooks',
    why: 'the request, its retries and its security are not part of the contract',
  },
]
