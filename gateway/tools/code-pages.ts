/**
 * The pages of codes in English and Korean: the two lists, docs/codes.md and docs/ko/codes.md, and a page for each code
 * on the documentation site, so that a search for a code finds it. `node gateway/tools/code-pages.ts` prints the pages of
 * the site as one JSON object, text by address.
 */
import { causeByCode, meaningOf, reportCodes, toReportOutcome } from '../src/channels/report-codes.ts'
import type { Language } from '../src/channels/report-meaning.ts'
import { koreanResultCodes } from '../src/contract/result-codes-ko.ts'
import { reservedCodes, resultCodes } from '../src/contract/result-codes.ts'

interface Code {
  readonly code: string
  /** The HTTP status of a result code; the outcome of a report code and the cause by which routes name it. */
  readonly kind: readonly string[]
  readonly text: string
  readonly cause: string
  readonly action: string
}

const labels = {
  en: {
    title: 'Codes',
    introduction:
      '`code` in a response is the result of a request, `reportCode` in a report is the result of a step. This page is generated.',
    results: 'Result codes',
    resultIntroduction: 'Only `A000` is success. Act by the HTTP status; the code gives the details:',
    statusTable: [
      ['HTTP', 'What to do'],
      [
        '400, 404',
        'Correct the request and send it with a new `Idempotency-Key`. `field`, beside `code`, is the path of a wrong field; `result` says what is expected.',
      ],
      ['401', 'Get a valid token or key, then repeat the request.'],
      ['403', 'Use a key that is permitted, or contact the operator.'],
      [
        '429, 5xx',
        'Wait for the seconds in `Retry-After`, if it is there, and repeat the request: a send with the same `Idempotency-Key`, so that it is sent once.',
      ],
    ],
    resultTable: ['Code', 'HTTP', 'Result', 'Cause', 'What to do'],
    reserved: `No response has ${Object.keys(reservedCodes).join(' or ')}, which the contract reserves: every account can use every channel.`,
    reports: 'Report codes',
    reportIntroduction:
      'The first digit is the family of channels: 2 SMS, MMS and international, 3 RCS, 6 Kakao, 9 the gateway itself. Kakao reports ' +
      'every cause that has no code in its family as 69999. With the outcome `unknown` the recipient may have the message: sending it ' +
      'again may deliver it twice. Act only on the report with `last` true: after any other one the next step has been sent.',
    reportTable: ['Code', 'Outcome', 'Routes: `errors`', 'Meaning', 'Cause', 'What to do'],
    result: (status: string) => `A result code, answered with HTTP ${status}.`,
    report: (outcome: string) => `A report code. Outcome: \`${outcome}\`.`,
    cause: 'Cause',
    action: 'What to do',
    all: 'All codes',
    address: 'codes',
  },
  ko: {
    title: '코드',
    introduction:
      '응답의 `code`는 요청의 결과를, 리포트의 `reportCode`는 한 단계의 결과를 나타냅니다. 사이트의 검색창에 코드를 입력하면 해당 코드의 설명으로 바로 이동합니다.',
    results: '결과 코드',
    resultIntroduction:
      '`A000`만 성공입니다. HTTP 상태에 따라 조치하고, 자세한 내용은 코드에서 확인하십시오.',
    statusTable: [
      ['HTTP', '조치'],
      [
        '400, 404',
        '요청을 고쳐 새 `Idempotency-Key`로 보내십시오. `code` 옆의 `field`는 잘못된 필드의 위치이고, `result`에는 올바른 형식이 들어 있습니다.',
      ],
      ['401', '유효한 토큰이나 키를 받아 같은 요청을 다시 보내십시오.'],
      ['403', '권한이 있는 키를 사용하거나 운영자에게 문의하십시오.'],
      [
        '429, 5xx',
        '`Retry-After`가 있으면 그 시간(초)만큼 기다린 뒤 같은 요청을 다시 보내십시오. 발송은 같은 `Idempotency-Key`로 보내야 한 번만 발송됩니다.',
      ],
    ],
    resultTable: ['코드', 'HTTP', 'result', '원인', '조치'],
    reserved: `${Object.keys(reservedCodes).join('와 ')}으로 응답하는 경우는 없습니다. 모든 계정이 모든 채널을 사용할 수 있습니다.`,
    reports: '리포트 코드',
    reportIntroduction:
      '2로 시작하면 SMS·MMS·국제 문자, 3은 RCS, 6은 카카오, 9는 게이트웨이의 코드입니다. 카카오에 별도 코드가 없는 사유는 모두 69999입니다. ' +
      '결과가 `unknown`이면 이미 전달되었을 수 있으므로, 다시 보내면 두 번 전달될 수 있습니다. `last`가 true인 리포트에만 조치하십시오. 다른 리포트 뒤에는 다음 단계가 이미 발송되었습니다.',
    reportTable: ['코드', '결과', '경로: `errors`', '의미', '원인', '조치'],
    result: (status: string) => `결과 코드입니다. HTTP 상태: ${status}.`,
    report: (outcome: string) => `리포트 코드입니다. 결과: \`${outcome}\`.`,
    cause: '원인',
    action: '조치',
    all: '전체 코드',
    address: 'ko/codes',
  },
} as const

function listResultCodes(language: Language): Code[] {
  return Object.values(resultCodes).map(({ code, status, result, cause, action }) => ({
    code,
    kind: [String(status)],
    text: result,
    cause,
    action,
    ...(language === 'ko' ? koreanResultCodes[code] : {}),
  }))
}

function listReportCodes(language: Language): Code[] {
  return reportCodes.map((code) => ({
    code,
    kind: [toReportOutcome(code), causeByCode.get(code)!],
    ...meaningOf(code, language)!,
  }))
}

/** The list of all codes as Markdown. */
export function codesPage(language: Language): string {
  const label = labels[language]
  return [
    ...[`# ${label.title}`, '', label.introduction, ''],
    ...[`## ${label.results}`, '', label.resultIntroduction, '', ...toTable(label.statusTable), ''],
    ...[...toTable([label.resultTable, ...listResultCodes(language).map(toCells)]), '', label.reserved, ''],
    ...[`## ${label.reports}`, '', label.reportIntroduction, ''],
    ...[...toTable([label.reportTable, ...listReportCodes(language).map(toCells)]), ''],
  ].join('\n')
}

function toCells({ code, kind, text, cause, action }: Code): string[] {
  return [code, ...kind, text, cause, action]
}

/** The first row is the head. */
function toTable([head, ...rows]: readonly (readonly string[])[]): string[] {
  return [head!, head!.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}

/** The pages of the site, by address. */
export function codePages(): Map<string, string> {
  const pages = new Map<string, string>()
  for (const language of ['en', 'ko'] as const) {
    const { address, result, report } = labels[language]
    for (const code of listResultCodes(language))
      pages.set(`${address}/${code.code.toLowerCase()}`, toPage(code, result(code.kind[0]!), language))
    for (const code of listReportCodes(language))
      pages.set(`${address}/${code.code}`, toPage(code, report(code.kind[0]!), language))
  }
  return pages
}

function toPage({ code, text, cause, action }: Code, introduction: string, language: Language): string {
  const label = labels[language]
  return [
    ...['---', `title: ${JSON.stringify(`${code} ${text}`)}`, 'tableOfContents: false', '---', ''],
    ...[introduction, '', `**${label.cause}.** ${escape(cause)}`, ''],
    ...[`**${label.action}.** ${escape(action)}`, '', `[${label.all}](/${label.address}/)`, ''],
  ].join('\n')
}

function escape(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('{', '&#123;')
}

if (import.meta.main) process.stdout.write(JSON.stringify(Object.fromEntries(codePages())))
