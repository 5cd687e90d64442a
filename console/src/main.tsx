import './styles/tokens.css'
import './styles/base.css'
import './styles/frame.css'
import './styles/components.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { call } from './api/call.ts'
import { queryClient } from './api/queries.ts'
import { applyPreferences } from './preferences/preferences.ts'
import { router } from './router.tsx'
import { consumeSessionHint, signedInAs } from './session/session.ts'

applyPreferences()
// If this fails, the sign-in form is shown.
if (consumeSessionHint()) await call('showMe', {}).then(signedInAs, () => undefined)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
