/**
 * Creates the code tables of docs/reference/codes.md and docs/ko/codes.md, and a page per code, so that a
 * search for a code finds it.
 */
import { causeByCode, explainReportCode, reportCodes, toReportOutcome } from '../src/channels/report-codes.ts'
import type { Language } from '../src/channels/report-meaning.ts'
import { koreanResultCodes } from '../src/contract/result-codes-ko.ts'
import { resultCodes } from '../src/contract/result-codes.ts'
import { toTable } from './markdown.ts'

interface Code {
  readonly code: string
  /** HTTP status of a result code; outcome of a report code and the cause by which routes name it. */
  readonly kind: readonly string[]
  readonly text: string
  readonly cause: string
  readonly action: string
}

const labels = {
  en: {
    resultTable: ['Code', 'HTTP', 'Result', 'Cause', 'What to do'],
    reportTable: ['Code', 'Outcome', 'Routes: `errors`', 'Meaning', 'Cause', 'What to do'],
    result: (status: string) => `A result code, returned with HTTP ${status}.`,
    report: (outcome: string) => `A report code. Outcome: \`${outcome}\`.`,
    cause: 'Cause',
    action: 'What to do',
    all: 'All codes',
    address: 'reference/codes',
  },
  ko: {
    resultTable: ['코드', 'HTTP', 'result', '원인', '조치'],
    reportTable: ['코드', '결과', '경로: `errors`', '의미', '원인', '조치'],
    result: (status: string) => `결과 코드입니다. HTTP 상태: ${status}.`,
    report: (outcome: string) => `리포트 코드입니다. 결과: \`${outcome}\`.`,
    cause: '원인',
    action: '조치',
    all: '전체 코드',
    address: 'ko/reference/codes',
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
    ...explainReportCode(code, language)!,
  }))
}

export function resultCodeTable(language: Language): string {
  return toTable([labels[language].resultTable, ...listResultCodes(language).map(toCells)])
}

export function reportCodeTable(language: Language): string {
  return toTable([labels[language].reportTable, ...listReportCodes(language).map(toCells)])
}

function toCells({ code, kind, text, cause, action }: Code): string[] {
  return [code, ...kind, text, cause, action]
}

/** Returns the pages of the site by address. */
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
