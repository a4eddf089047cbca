"""What golden, integration and fault tests share: throw-away servers, a running cdc, consumers of its
lines. Standard library only. No test lives here."""
