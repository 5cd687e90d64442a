/** Definitions of `postern sender …`. */
import { Argument, Option, type Command } from 'commander'
import { proofKinds, senderKinds, senderStates } from '../../trust/senders/sender.ts'
import { defineCommand, defineGroup } from '../define.ts'
import { day, oneOf, wholeNumber } from '../options.ts'
import type { ChangeOptions, ListOptions, ShowOptions } from './calls.ts'
import type { ImportOptions } from './import-calls.ts'
import { validUntil } from './values.ts'

const unknown = ['there is no such account', 'the sender is not registered for it']
const failures = {
  approve: [...unknown, 'it has no proof, or one that does not suffice'],
  reject: unknown,
  // It need not be registered.
  block: unknown.slice(0, 1),
}
const senderDocument =
  '{"clientId":"shop-1","kind":"number","value":"0212345678","state":"active","validUntil":null,"proof":{"kind":"certificate","reference":"KT-2026-118","issued":"2026-11-02"},"createdAt":"2026-11-16T01:00:00.000Z","updatedAt":"2026-11-16T01:05:00.000Z"}'

const key = (): Argument[] => [
  new Argument('<client-id>', 'the account, as `postern account list` prints it'),
  new Argument(
    '<value>',
    'the number (a foreign one with + and its country code), sender ID, chatbot, brand key, sender key or template code',
  ),
]
const kindOption = (): Option => oneOf('--kind <kind>', 'what it is', [...senderKinds]).default('number')
const proofOptions = (): Option[] => [
  oneOf('--proof-kind <kind>', 'how it was proven that the account may use it', [...proofKinds]),
  new Option('--proof <reference>', 'where the proof is kept, such as a document number'),
  day(
    '--issued <day>',
    'the day the proof was issued, such as 2026-11-02; a certificate counts three months',
  ),
  validUntil(),
]

export function defineSender(program: Command): void {
  const sender = defineGroup(program, {
    name: 'sender',
    summary: 'Manage what each account may send from.',
    examples: [
      'sender add shop-1 0212345678',
      'sender approve shop-1 0212345678 --proof-kind certificate --proof KT-2026-118 --issued 2026-11-02',
      'sender block shop-1 0212345678 --reason "reported as stolen"',
    ],
  })
  defineCommand(sender, {
    name: 'add',
    summary: 'Register a sender for an account; it is pending until it is approved.',
    details: 'A sender that is registered already stays as it is; a pending one takes a new proof and end.',
    arguments: key(),
    options: [kindOption(), ...proofOptions()],
    operation: 'addSender',
    examples: [
      'sender add shop-1 0212345678',
      'sender add shop-1 "Bank 24" --kind international',
      'sender add shop-1 @shop --kind kakao-key',
    ],
    failures: ['there is no such account'],
    json: senderDocument,
    call: async (admin, id: string, value: string, options: ChangeOptions) =>
      (await import('./calls.ts')).addSender(admin, id, value, options),
  })
  defineChange(sender, 'approve', 'Let the account send from it.', proofOptions(), [
    'sender approve shop-1 0212345678 --proof-kind certificate --proof KT-2026-118 --issued 2026-11-02',
  ])
  defineChange(
    sender,
    'reject',
    'Refuse a registration.',
    [],
    ['sender reject shop-1 0212345678 --reason "the certificate names another company"'],
  )
  defineChange(
    sender,
    'block',
    'Stop all messages of the account from it, accepted ones included, whatever rules are on.',
    [],
    ['sender block shop-1 0212345678 --reason "reported as stolen"'],
  )
  defineCommand(sender, {
    name: 'list',
    summary: 'List registered senders, the newest first.',
    arguments: [new Argument('[client-id]', 'only those of this account')],
    options: [
      oneOf('--kind <kind>', 'only those of this kind', [...senderKinds]),
      oneOf('--state <state>', 'only those in this state', [...senderStates]),
      wholeNumber('--limit <n>', 'at most this many', { min: 1, max: 100_000 }).default(1_000),
    ],
    operation: 'listSenders',
    examples: ['sender list --state pending', 'sender list shop-1 --json'],
    json: `{"senders":[${senderDocument}],"more":false}`,
    call: async (admin, id: string | undefined, options: ListOptions) =>
      (await import('./calls.ts')).listAll(admin, id, options),
  })
  defineCommand(sender, {
    name: 'show',
    summary: 'Show a sender and the history of its state, with the proofs.',
    details:
      'By a mobile number it is shown to those who manage senders (right: senders), because lists show the last digits alone.',
    arguments: key(),
    options: [
      kindOption(),
      new Option(
        '--reveal',
        'print the whole mobile number and where the proofs are kept; with --reason, and recorded',
      ),
    ],
    operation: 'showSender',
    examples: ['sender show shop-1 0212345678'],
    failures: unknown,
    json: `{"sender":${senderDocument},"changes":[{"at":"2026-11-16T01:00:00.000Z","by":"kim","from":null,"to":"pending","validUntil":null,"reason":"registered","proof":null}]}`,
    call: async (admin, id: string, value: string, options: ShowOptions) =>
      (await import('./calls.ts')).showSender(admin, id, value, options),
  })
  defineCommand(sender, {
    name: 'import',
    summary: 'Register many senders from a file.',
    details:
      'A CSV file of UTF-8 whose first line names its columns: clientId, kind, value, and optionally validUntil, proofKind, proof and issued. The whole file is checked before anything is stored; a line that repeats what is registered changes nothing, so that the command can be run again. Progress is printed to the terminal. Over the admin API it is checked and then sent in parts of up to 500 senders; after an interruption run the same command again.',
    arguments: [new Argument('<file>', 'the file, or - for standard input')],
    options: [
      new Option('--approve', 'make them active at once, each with its proof; without it they are pending'),
    ],
    operation: 'importSenders',
    examples: ['sender import senders.csv --approve --reason "moved from the old system"'],
    failures: [
      'a line of the file is wrong; nothing is stored',
      'a part cannot be stored; the error says how many senders are stored before it',
    ],
    json: '{"lines":1200,"changed":1187,"blocked":2,"rejected":0}',
    call: async (admin, file: string, options: ImportOptions) =>
      (await import('./import-calls.ts')).importFile(admin, file, options),
  })
}

function defineChange(
  sender: Command,
  name: 'approve' | 'reject' | 'block',
  summary: string,
  options: Option[],
  examples: readonly string[],
): void {
  defineCommand(sender, {
    name,
    summary,
    details:
      'Running processes follow within two seconds. A blocked sender is changed by those who may stop accounts.',
    arguments: key(),
    options: [kindOption(), ...options],
    operation: name === 'block' ? 'blockSenderByValue' : `${name}Sender`,
    examples,
    failures: failures[name],
    json: senderDocument,
    call: async (admin, id: string, value: string, given: ChangeOptions) =>
      (await import('./calls.ts')).changeState(admin, id, value, name, given),
  })
}
