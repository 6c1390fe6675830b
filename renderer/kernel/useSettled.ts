// A value that costs much to work with, taken over only once it has rested: small ones at once, large ones after a pause.

import { useEffect, useState } from 'react';

/** The value itself where `cheap`, otherwise the value of the last time it stayed the same for `milliseconds`. */
export function useSettled<T>(value: T, cheap: boolean, milliseconds = 120): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (cheap) {
      setSettled(value);
      return;
    }
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, cheap, milliseconds]);
  return cheap ? value : settled;
}
