// Lets TypeScript accept style sheets as imports, as Vite does.

/// <reference types="vite/client" />
declare module '@fontsource-variable/inter';
