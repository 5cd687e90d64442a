/** The root route of the console. Each screen defines its own in its `route.ts`. */
import { createRootRoute, type ErrorComponentProps } from '@tanstack/react-router'
import { toProblem } from '../api/problem.ts'
import { PageHead } from '../components/PageHead.tsx'
import { ProblemNotice } from '../components/ProblemNotice.tsx'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'
import { Frame } from './Frame.tsx'
import { NotFound } from './NotFound.tsx'

export const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFound })

/** Shown instead of a screen that throws an error. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const t = useTexts(shared)
  return (
    <>
      <PageHead title={t.crashed} />
      <ProblemNotice problem={toProblem(error)} onRetry={reset} />
    </>
  )
}
