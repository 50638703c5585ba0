/** What the server's Content-Security-Policy lets style elements of this page carry (see vite.config.ts). */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Read by the part of Mantine's modals that keeps the page behind them from scrolling.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
