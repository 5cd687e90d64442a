#!/usr/bin/perl
# A client that waits for each answer, as many do: binds, submits a text and a long one in three parts, reads receipts, unbinds.
# Usage: client.pl port system_id password. Prints one line of JSON for each step.
use strict;
use warnings;
use Net::SMPP;

my ( $port, $system_id, $password ) = @ARGV;
$| = 1;
my ( $smpp, $bound ) = Net::SMPP->new_transceiver(
    '127.0.0.1',
    port      => $port,
    system_id => $system_id,
    password  => $password,
    async     => 0,
) or die "no connection: $!";
printf qq({"step":"bind","status":%d}\n), $bound->status;

my %address = (
    source_addr      => '0234567890',
    destination_addr => '821012345678',
    dest_addr_ton    => 1,
    dest_addr_npi    => 1,
    registered_delivery => 1,
);
my $answer = $smpp->submit_sm( %address, short_message => 'from Perl' );
printf qq({"step":"submit","status":%d,"id":"%s"}\n), $answer->status, $answer->message_id;
for my $part ( 1 .. 3 ) {
    my $header = pack 'C*', 5, 0, 3, 77, 3, $part;
    my $response = $smpp->submit_sm( %address, esm_class => 0x40, short_message => $header . ( chr( 64 + $part ) x 50 ) );
    printf qq({"step":"part","status":%d,"id":"%s"}\n), $response->status, $response->message_id;
}
my $enquired = $smpp->enquire_link();
printf qq({"step":"enquire","status":%d}\n), $enquired->status;
for ( 1 .. 4 ) {
    my $pdu = $smpp->read_pdu() or last;
    next if $pdu->cmd != 5;    # deliver_sm
    $smpp->deliver_sm_resp( seq => $pdu->seq, message_id => '' );
    my ($id) = $pdu->{short_message} =~ /^id:(\S+) /;
    my ($stat) = $pdu->{short_message} =~ /stat:(\w+)/;
    printf qq({"step":"receipt","id":"%s","stat":"%s"}\n), $id, $stat;
}
my $unbound = $smpp->unbind();
printf qq({"step":"unbind","status":%d}\n), $unbound->status;
