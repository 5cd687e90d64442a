import { Type } from 'typebox'
import { decideHeld, describeRules, readRules, switchRules } from './rules.ts'
import { listHeld } from '../../records/waiting/suspended.ts'
import { readCursor, toPage } from '../cursor.ts'
import {
  clientId,
  flag,
  list,
  nullable,
  oneOf,
  page,
  pageQuery,
  record,
  text,
  time,
  whole,
} from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'

const ruleId = text('ID of the rule', { minLength: 1, maxLength: 60 })

const Rule = record(
  {
    rule: ruleId,
    demands: text('Requirement of the rule'),
    control: oneOf(['switch', 'always'], 'switch: can be turned on and off; always: always on'),
    enabled: flag('Whether it is on; always true without a switch'),
    settings: list(text('Name of an environment variable'), 'Settings that change the requirement'),
    enforcedAt: list(text('Such as accept or submission'), 'Points at which it is enforced'),
    code: nullable(text('Code returned to clients')),
    changedAt: nullable(time('When it was last switched')),
    changedBy: nullable(text('Operator who last switched it')),
    reason: nullable(text('Why')),
  },
  'A rule',
  { title: 'Rule' },
)

const switchOperation = <const Verb extends 'enable' | 'disable'>(verb: Verb) =>
  defineOperation({
    id: `${verb}Rule` as const,
    method: 'post',
    path: `/admin/v1/rules/{rule}/${verb}`,
    tag: 'Rules',
    summary: `Turn a rule ${verb === 'enable' ? 'on' : 'off'}, effective in all processes within two seconds`,
    access: writeAccess('trust', 'required'),
    action: `trust ${verb}`,
    command: {
      examples: [`sender-number-shape --reason "all senders are imported"`, 'all --reason "case 12"'],
    },
    params: { rule: text('ID of a rule with a switch, or "all"', { minLength: 1, maxLength: 60 }) },
    data: record({ rule: ruleId, enabled: flag('Whether it is on') }, 'The rule', { title: 'RuleState' }),
    run: async ({ params: { rule } }, { audit, services: { config } }) => {
      await switchRules(audit, config, readRules([rule]), verb === 'enable')
      return { rule, enabled: verb === 'enable' }
    },
  })

const decideOperation = <const Decision extends 'release' | 'refuse'>(decision: Decision) =>
  defineOperation({
    id: `${decision}Held` as const,
    method: 'post',
    path: `/admin/v1/held/${decision}`,
    tag: 'Rules',
    summary: decision === 'release' ? 'Send held messages' : 'Close held messages without sending them',
    access: writeAccess('messages', 'required'),
    action: `held ${decision}`,
    command: {
      arguments: ['msgKeys'],
      examples: ['20261116004512345A17QKX2M8R4ZT0V --reason "known campaign"'],
    },
    body: {
      msgKeys: Type.Array(text('Key of a message', { minLength: 32, maxLength: 32 }), {
        minItems: 1,
        maxItems: 200,
        description: 'Keys of messages',
      }),
    },
    data: record(
      {
        decided: whole('Held messages that are now decided'),
        notHeld: whole('Other messages, such as those decided earlier or closed'),
      },
      'The decision',
      { title: 'HeldDecision' },
    ),
    run: async ({ body: { msgKeys } }, { database, audit }) => {
      const decided = await decideHeld(database, audit, msgKeys, decision)
      return { decided, notHeld: new Set(msgKeys).size - decided }
    },
  })

export const ruleOperations = [
  defineOperation({
    id: 'listRules',
    method: 'get',
    path: '/admin/v1/rules',
    tag: 'Rules',
    summary: 'List the enforced rules, including those without a switch',
    access: readAccess(),
    action: 'trust list',
    command: { examples: [''], columns: ['rule', 'control', 'enabled', 'changedAt', 'changedBy', 'reason'] },
    data: record({ rules: list(Rule, 'Rules') }, 'Rules'),
    run: async (_input, { database }) => ({ rules: await describeRules(database) }),
  }),
  switchOperation('enable'),
  switchOperation('disable'),
  defineOperation({
    id: 'listHeld',
    method: 'get',
    path: '/admin/v1/held',
    tag: 'Rules',
    summary: 'List messages that a rule holds for a decision, oldest first',
    access: readAccess(),
    action: 'held list',
    command: { examples: ['--account shop-1'] },
    query: { ...pageQuery, account: Type.Optional(clientId), rule: Type.Optional(ruleId) },
    data: page(
      record(
        {
          msgKey: text('Key of the message'),
          account: clientId,
          rule: ruleId,
          channel: text('Channel of the step'),
          since: time('Time since which it is held'),
          dueAt: time('Deadline at which it ends if nobody decides'),
        },
        'A held message',
        { title: 'HeldMessage' },
      ),
      'Held messages',
    ),
    run: async ({ query: { limit, cursor, account, rule } }, { database }) => {
      const after = readCursor(
        Type.Tuple([Type.String({ maxLength: 40 }), Type.String({ maxLength: 32 })]),
        cursor,
      )
      const rows = await listHeld(database, {
        clientId: account,
        rule,
        limit: limit + 1,
        after: after === undefined ? undefined : { since: after[0], msgKey: after[1] },
      })
      return toPage(
        rows,
        limit,
        ({ clientId: heldAccount, ...held }) => ({ ...held, account: heldAccount }),
        ({ sinceText, msgKey }) => [sinceText, msgKey],
      )
    },
  }),
  decideOperation('release'),
  decideOperation('refuse'),
]
