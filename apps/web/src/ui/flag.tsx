import type { Language } from '@kervan/contract';

/** The flag of a language: drawn, as not every system has flags among its emoji. */
export function Flag({ language }: { language: Language }) {
  return (
    <svg width="22" height="15" viewBox="0 0 60 40" aria-hidden="true" focusable="false">
      {language === 'tr' ? <Turkish /> : <British />}
    </svg>
  );
}

function Turkish() {
  return (
    <>
      <rect width="60" height="40" fill="#e30a17" />
      <circle cx="22" cy="20" r="10" fill="#fff" />
      <circle cx="24.5" cy="20" r="8" fill="#e30a17" />
      <path d="m29 20 9-3-5.6 7.8V15.200l5.600 7.800z" fill="#fff" />
    </>
  );
}

function British() {
  return (
    <>
      <rect width="60" height="40" fill="#012169" />
      <path d="m0 0 60 40M60 0 0 40" stroke="#fff" strokeWidth="8" />
      <path d="m0 0 60 40M60 0 0 40" stroke="#c8102e" strokeWidth="3" />
      <path d="M30 0v40M0 20h60" stroke="#fff" strokeWidth="13" />
      <path d="M30 0v40M0 20h60" stroke="#c8102e" strokeWidth="8" />
    </>
  );
}
