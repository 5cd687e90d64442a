/**
 * `node gateway/tools/code-pages.ts` prints a page of the documentation site for every result code and report code as one JSON object,
 * text by address, so that a search for a code finds it; report codes in Korean, too. Run by scripts/site.ts.
 */
import { causeByCode, meaningOf, reportCodes, toReportOutcome } from '../src/channels/report-codes.ts'
import type { Language } from '../src/channels/report-meaning.ts'
import { resultCodes } from '../src/contract/result-codes.ts'

const labels: Readonly<Record<Language, { report: string; cause: string; action: string; all: string }>> = {
  en: { report: 'A report code.', cause: 'Usual cause', action: 'What to do', all: 'All codes' },
  ko: { report: '리포트 코드입니다.', cause: '주된 원인', action: '조치', all: '전체 코드' },
}

/** Text by address. */
export function codePages(): Map<string, string> {
  const pages = new Map<string, string>()
  for (const { code, status, result, cause, action } of Object.values(resultCodes))
    pages.set(
      `codes/${code.toLowerCase()}`,
      page(`${code} ${result}`, `A result code, answered with HTTP ${status}.`, [cause, action], 'en'),
    )
  for (const code of reportCodes)
    for (const language of ['en', 'ko'] as const) {
      const meaning = meaningOf(code, language)
      if (meaning === null) continue
      const { report } = labels[language]
      const described = `${report} outcome: \`${toReportOutcome(code)}\`.`
      const intro = language === 'en' ? `${described} Cause: \`${causeByCode.get(code)!}\`.` : described
      const address = `${language === 'ko' ? 'ko/' : ''}codes/${code}`
      pages.set(address, page(`${code} ${meaning.text}`, intro, [meaning.cause, meaning.action], language))
    }
  return pages
}

function page(title: string, intro: string, [cause, action]: [string, string], language: Language): string {
  const { cause: causeLabel, action: actionLabel, all } = labels[language]
  const list = language === 'ko' ? '/ko/codes/' : '/codes/'
  return [
    ...['---', `title: ${JSON.stringify(title)}`, 'tableOfContents: false', '---', ''],
    ...[intro, '', `**${causeLabel}.** ${escape(cause)}`, '', `**${actionLabel}.** ${escape(action)}`, ''],
    ...[`[${all}](${list})`, ''],
  ].join('\n')
}

function escape(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('{', '&#123;')
}

if (import.meta.main) process.stdout.write(JSON.stringify(Object.fromEntries(codePages())))
