/** Definitions of `postern webhook …`: what accounts do by /v1/webhook, done by the operator. */
import { Argument, Option, type Command } from 'commander'
import { defineCommand, defineGroup } from '../define.ts'
import { UsageError } from '../errors.ts'
import { wholeNumber } from '../options.ts'
import type { AddOptions } from './calls.ts'
import type { ReplayOptions } from './calls.ts'
import type { ListOptions } from './calls.ts'
import type { RotateOptions } from './calls.ts'
import { eventsOption, urlOption, webhookOptions, type WebhookOptions } from './settings.ts'

const unknownWebhook = 'there is no such webhook'
const unknownAccount = 'there is no such account'
const refused = 'the URL or the secret is refused'
const webhookDocument =
  '{"account":"shop-1","webhookId":"…","url":"https://…","name":"","perSecond":100,"concurrency":10,"timeoutSeconds":5,"acknowledgement":"msgKey","notices":true,"enabled":true,"events":"reports","disabledReason":"","disabledTime":"","failingSince":"","previousSecretUntil":"","behind":0,"retrying":0,"givenUp":0,"created":"…"}'

const webhookId = (): Argument => new Argument('<id>', 'the webhook, as `postern webhook list` prints it')
const reveal = (): Option =>
  new Option('--reveal', 'print whole URLs, which may hold a token; with --reason, and recorded')
const secret = (): Option =>
  new Option('--secret <secret>', 'whsec_ and 24 to 64 bytes in base64 (default: a generated one)')

export function defineWebhook(program: Command): void {
  const webhook = defineGroup(program, {
    name: 'webhook',
    summary: 'Manage the URLs to which reports are pushed.',
    examples: ['webhook list', 'webhook add --account shop-1 --url https://shop.example/reports --name main'],
  })
  defineSettings(webhook)
  defineDeliveries(webhook)
}

function defineSettings(webhook: Command): void {
  defineCommand(webhook, {
    name: 'list',
    summary: 'List webhooks, with their state and backlog.',
    options: [new Option('--account <client-id>', 'only those of this account (default: all)'), reveal()],
    operation: 'listWebhooks',
    examples: ['webhook list', 'webhook list --account shop-1'],
    failures: [unknownAccount],
    json: `{"webhooks":[${webhookDocument}]}`,
    call: async (admin, options: ListOptions) => (await import('./calls.ts')).listWebhooks(admin, options),
  })
  defineCommand(webhook, {
    name: 'add',
    summary: 'Add a webhook to an account and print its secret.',
    details:
      'The secret is printed once and cannot be shown again. Needs the right to see personal data: reports go to the URL.',
    required: [new Option('--account <client-id>', 'the account whose reports are pushed'), urlOption()],
    options: [...webhookOptions(), eventsOption(), secret()],
    operation: 'addWebhook',
    examples: ['webhook add --account shop-1 --url https://shop.example/reports --name main'],
    failures: [unknownAccount, refused, 'the account has too many webhooks'],
    json: '{"webhookId":"…","secret":"whsec_…"}',
    call: async (admin, options: AddOptions) =>
      (await import('./calls.ts')).addAccountWebhook(admin, options),
  })
  defineCommand(webhook, {
    name: 'show',
    summary: 'Show one webhook, without its secret.',
    arguments: [webhookId()],
    options: [reveal()],
    operation: 'showWebhook',
    examples: ['webhook show 20261115023225000WABCDEFGHIJKLMN'],
    failures: [unknownWebhook],
    json: webhookDocument,
    call: async (admin, id: string, options: ListOptions) =>
      (await import('./calls.ts')).showWebhook(admin, id, options),
  })
  defineCommand(webhook, {
    name: 'set',
    summary: 'Change settings of a webhook.',
    details:
      'Options that are left out keep their value. The worker that pushes follows within two seconds. Another URL needs the right to see personal data: reports go to it.',
    arguments: [webhookId()],
    options: [urlOption(), ...webhookOptions()],
    operation: 'setWebhook',
    examples: [
      'webhook set 20261115023225000WABCDEFGHIJKLMN --per-second 50',
      'webhook set 20261115023225000WABCDEFGHIJKLMN --enabled',
    ],
    failures: [unknownWebhook, refused],
    json: webhookDocument,
    call: async (admin, id: string, options: WebhookOptions) =>
      (await import('./calls.ts')).setWebhook(admin, id, options),
  })
  defineCommand(webhook, {
    name: 'remove',
    summary: 'Remove a webhook.',
    details: 'Its reports stay available by polling and inquiry.',
    arguments: [webhookId()],
    operation: 'removeWebhook',
    examples: ['webhook remove 20261115023225000WABCDEFGHIJKLMN'],
    failures: [unknownWebhook],
    json: '{"webhookId":"…","removed":true}',
    call: async (admin, id: string) => (await import('./calls.ts')).removeWebhook(admin, id),
  })
  defineCommand(webhook, {
    name: 'rotate',
    summary: 'Replace the secret of a webhook and print the new one.',
    details: 'The previous secret signs as well until its hours have passed.',
    arguments: [webhookId()],
    options: [
      secret(),
      wholeNumber('--keep-hours <n>', 'hours that the previous secret stays valid; 24 when left out', {
        min: 0,
        max: 168,
      }),
    ],
    operation: 'rotateWebhookSecret',
    examples: ['webhook rotate 20261115023225000WABCDEFGHIJKLMN --keep-hours 48'],
    failures: [unknownWebhook, 'the secret is refused'],
    json: '{"webhookId":"…","secret":"whsec_…","previousSecretUntil":"…"}',
    call: async (admin, id: string, options: RotateOptions) =>
      (await import('./calls.ts')).rotateWebhookSecret(admin, id, options),
  })
}

function defineDeliveries(webhook: Command): void {
  defineCommand(webhook, {
    name: 'test',
    summary: 'Push a test report now and print the response.',
    details: 'It is pushed once, whether the webhook is enabled or not.',
    arguments: [webhookId()],
    operation: 'testWebhook',
    examples: ['webhook test 20261115023225000WABCDEFGHIJKLMN'],
    failures: [unknownWebhook, 'the test report is not acknowledged'],
    json: '{"acknowledged":true,"httpStatus":200,"ms":35,"error":""}',
    call: async (admin, id: string) => (await import('./calls.ts')).sendTestReport(admin, id),
  })
  defineCommand(webhook, {
    name: 'replay',
    summary: 'Push reports of the last three days again.',
    details: 'Exactly one of the options must be given.',
    arguments: [webhookId()],
    options: [
      new Option('--msg-key <key>', 'the reports of this message'),
      new Option(
        '--failed-since <time>',
        'unacknowledged reports since this time: 2026-11-15T09:00:00+09:00',
      ),
      new Option('--all-since <time>', 'every report since this time'),
    ],
    operation: 'replayWebhook',
    examples: ['webhook replay 20261115023225000WABCDEFGHIJKLMN --failed-since 2026-11-15T09:00:00+09:00'],
    failures: [unknownWebhook, 'a time or a msgKey is refused'],
    json: '{"webhookId":"…","reports":12}',
    call: async (admin, id: string, options: ReplayOptions) => {
      requireOne(options)
      return (await import('./calls.ts')).replayReports(admin, id, options)
    },
  })
  defineCommand(webhook, {
    name: 'deliveries',
    summary: 'List the last pushes of a webhook, and its unacknowledged reports.',
    details:
      'The newest first. httpStatus is null or 0 when there was no response; an empty error is success.',
    arguments: [webhookId()],
    operation: 'listDeliveries',
    examples: ['webhook deliveries 20261115023225000WABCDEFGHIJKLMN'],
    failures: [unknownWebhook],
    json: '{"tries":[{"at":"…","eventId":"…","httpStatus":200,"ms":35,"error":""}],"failures":[{"eventId":"…","failedTime":"…","tries":3,"retryTime":"…","httpStatus":500,"error":"…"}]}',
    call: async (admin, id: string) => (await import('./calls.ts')).listDeliveries(admin, id),
  })
}

function requireOne({ msgKey, failedSince, allSince }: ReplayOptions): void {
  if ([msgKey, failedSince, allSince].filter((given) => given !== undefined).length !== 1)
    throw new UsageError('give exactly one of --msg-key, --failed-since and --all-since')
}
