import type { ClerkProvider } from '@clerk/nextjs';
import type { ComponentProps } from 'react';

/** Clerk's components in the shop's colors: the tokens of app/globals.css, which follow the color scheme. */
export const clerkAppearance = {
  variables: {
    colorPrimary: 'var(--primary)',
    colorPrimaryForeground: 'var(--primary-foreground)',
    colorBackground: 'var(--surface)',
    colorForeground: 'var(--foreground)',
    colorMuted: 'var(--muted)',
    colorMutedForeground: 'var(--muted-foreground)',
    colorInput: 'var(--surface)',
    colorInputForeground: 'var(--foreground)',
    colorNeutral: 'var(--foreground)',
    colorBorder: 'var(--border-strong)',
    colorRing: 'var(--foreground)',
    colorDanger: 'var(--danger)',
    colorSuccess: 'var(--success)',
    colorWarning: 'var(--warning)',
    borderRadius: 'var(--radius-control)',
    fontFamily: 'inherit',
    fontFamilyButtons: 'inherit',
  },
  elements: {
    // Clerk's tint of the primary color is too faint to read on the profile's current entry.
    navbarButton: { color: 'var(--foreground)' },
    // Clerk's own outlines are too faint to find a field by (WCAG 1.4.11).
    formFieldInput: { '&:not(:focus)': { boxShadow: '0 0 0 1px var(--border-strong)' } },
    socialButtonsBlockButton: { '&:not(:focus)': { boxShadow: '0 0 0 1px var(--border-strong)' } },
  },
} satisfies ComponentProps<typeof ClerkProvider>['appearance'];
